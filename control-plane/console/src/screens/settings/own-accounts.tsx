import { request } from '../../data/api.js';
import { change, putChanged, useResource } from '../../data/resources.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Field, Form } from '../../parts/form.js';
import type { Option } from '../../parts/inputs.js';
import { Loaded } from '../../parts/loaded.js';
import { sendOrAsk } from '../../parts/unreachable.js';
import { useForm } from '../../parts/use-form.js';
import type { ChannelView, OwnMembershipView } from './views.js';

interface Account {
  type: string;
  name: string;
  isConfirmed: boolean;
}

/** Accounts that are proven by a code that is sent there, as the API has them. */
interface Kind {
  list: 'chatAccounts' | 'contactMethods';
  field: 'id' | 'address';
  confirm: 'chat-accounts' | 'contact-methods';
  title: string;
  lead: string;
  typeLabel: string;
  nameLabel: string;
  placeholder: string;
  hint: string;
  /** Shows what an account is once its code was entered, and the verbs. */
  words: { confirmed: string; confirm: string; remove: string; removed: string; sender: string };
}

const CHATS: Kind = {
  list: 'chatAccounts',
  field: 'id',
  confirm: 'chat-accounts',
  title: 'Chat accounts',
  lead: 'With a linked account you acknowledge by the button in a message. A bot sends a code there.',
  typeLabel: 'Chat',
  nameLabel: 'Account ID',
  placeholder: 'U024BE7LH',
  hint: 'Not your name. If you do not know it, press Acknowledge in a message of that chat: the answer has it. In Telegram, write to the bot first.',
  words: { confirmed: 'linked', confirm: 'Link', remove: 'Unlink', removed: 'unlinked', sender: 'bot' },
};
const METHODS: Kind = {
  list: 'contactMethods',
  field: 'address',
  confirm: 'contact-methods',
  title: 'Contact methods',
  lead: 'Where your own rules page you beside mail, SMS and calls. A code is sent there first.',
  typeLabel: 'Service',
  nameLabel: 'Address',
  placeholder: 'https://ntfy.sh/watchpost-a1B2c3D4e5F6',
  hint: 'The URL of a topic in ntfy, your user key in Pushover, or the number of your chat with the bot in Telegram, to which you write first. Telegram and Pushover need an action group of that type.',
  words: { confirmed: 'confirmed', confirm: 'Confirm', remove: 'Remove', removed: 'removed', sender: 'message' },
};
const SERVICES: readonly Option[] = [
  { value: 'ntfy', label: 'ntfy' },
  { value: 'pushover', label: 'Pushover' },
  { value: 'telegram', label: 'Telegram' },
];

/** The accounts in chats with which the user acknowledges by the button in a message. */
export function ChatAccounts({ path }: { path: string }) {
  const channels = useResource<ChannelView[]>('/api/v1/channels');
  return (
    <Loaded of={channels}>
      {(all) => {
        const types = all.filter(({ canAcknowledge }) => canAcknowledge);
        const options = types.map(({ type, title }) => ({ value: type, label: title }));
        return options.length > 0 && <Accounts path={path} kind={CHATS} types={options} />;
      }}
    </Loaded>
  );
}

/** Where the user is paged beside mail, SMS and calls. */
export function ContactMethods({ path }: { path: string }) {
  return <Accounts path={path} kind={METHODS} types={SERVICES} />;
}

function accountsOf(data: OwnMembershipView, { list }: Kind): Account[] {
  return list === 'chatAccounts'
    ? data.chatAccounts.map(({ id, ...account }) => ({ ...account, name: id }))
    : data.contactMethods.map(({ address, ...method }) => ({ ...method, name: address }));
}

interface AccountsProps {
  path: string;
  kind: Kind;
  types: readonly Option[];
}

function Accounts(props: AccountsProps) {
  const read = useResource<OwnMembershipView>(props.path);
  return <Loaded of={read}>{(data) => <ReadAccounts {...props} data={data} />}</Loaded>;
}

function ReadAccounts(props: AccountsProps & { data: OwnMembershipView }) {
  const { path, kind, types, data } = props;
  const { list, field, words } = kind;
  const accounts = accountsOf(data, kind);
  const titleOf = (type: string) => types.find(({ value }) => value === type)?.label ?? type;
  type Named = Pick<Account, 'type' | 'name'>;
  /** The whole list is sent, made of the one that is there now: what was added or removed meanwhile stays so. */
  const save = (edit: (now: readonly Named[]) => readonly Named[], onSaved: () => void) =>
    sendOrAsk('Save it anyway', async (query) => {
      const { body: now, etag } = await request<OwnMembershipView>('GET', path);
      const body = { [list]: edit(accountsOf(now, kind)).map(({ type, name }) => ({ type, [field]: name })) };
      putChanged(path, await change('PATCH', path, { body, query, ifMatch: etag }));
      onSaved();
    });
  const form = useForm({
    initial: { type: types[0]!.value, [field]: '' } as { type: string; id?: string; address?: string },
    onSubmit: (values) =>
      save(
        (now) => [...now, { type: values.type, name: (values[field] ?? '').trim() }],
        () => {
          form.reset({ type: values.type, [field]: '' });
          toast(`A code is on its way to your ${titleOf(values.type)} account.`);
        },
      ),
  });
  const remove = (account: Account) =>
    void save(
      (now) => now.filter(({ type, name }) => type !== account.type || name !== account.name),
      () => toast(`Your ${titleOf(account.type)} account is ${words.removed}.`),
    ).catch(toastFault);
  return (
    <div class="card card-body max-44 lines gap-4">
      <div>
        <h3>{kind.title}</h3>
        <p class="soft">{kind.lead}</p>
      </div>
      {accounts.map((account) => (
        <AccountRow
          key={`${account.type} ${account.name}`}
          account={account}
          kind={kind}
          title={titleOf(account.type)}
          path={path}
          resend={() =>
            void save(
              (now) => now,
              () => toast(`Another code is on its way to ${account.name}.`),
            ).catch(toastFault)
          }
          remove={() => remove(account)}
        />
      ))}
      <Form form={form} action="Send a code">
        <Field name="type" label={kind.typeLabel} options={[...types]} />
        <Field name={field} label={kind.nameLabel} placeholder={kind.placeholder} hint={kind.hint} />
      </Form>
    </div>
  );
}

/** One account, and the way to confirm it. */
function AccountRow(props: {
  account: Account;
  kind: Kind;
  title: string;
  path: string;
  resend: () => void;
  remove: () => void;
}) {
  const { account, kind, title, path, resend, remove } = props;
  const { type, name, isConfirmed } = account;
  const { words } = kind;
  const form = useForm({
    initial: { code: '' },
    onSubmit: async ({ code }) => {
      await change('POST', `${path}/${kind.confirm}/confirm`, {
        body: { type, [kind.field]: name, code: code.trim() },
      });
      toast(`Your ${title} account is ${words.confirmed}.`);
    },
  });
  if (isConfirmed)
    return (
      <div class="row">
        <span>
          <strong>{title}</strong> {name} is {words.confirmed}.
        </span>
        <Button text={words.remove} label={`${words.remove} ${title} ${name}`} onClick={remove} />
      </div>
    );
  return (
    <div class="note note-partial">
      <p>
        <strong>
          {title} {name} is not {words.confirmed} yet.
        </strong>{' '}
        Enter the code that {words.sender === 'bot' ? 'the bot sent there' : 'was sent there'}.
      </p>
      <Form form={form} action={words.confirm}>
        <Field name="code" label={`Code from the ${words.sender}`} placeholder="048213" />
      </Form>
      <div class="row">
        <Button text="Send another code" onClick={resend} />
        <Button text="Remove" label={`Remove ${title} ${name}`} onClick={remove} />
      </div>
    </div>
  );
}
