import { change, useResource } from '../../data/resources.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Field, Form } from '../../parts/form.js';
import { useForm } from '../../parts/use-form.js';
import type { ChannelView, ChatAccountView, OwnMembershipView } from './views.js';

const NEW = { type: 'slack', id: '' };
const WHERE =
  'Not your name. If you do not know it, press Acknowledge in a message of that chat: the answer has it. In Telegram, write to the bot first.';

/** The accounts in chats with which the user acknowledges by the button in a message. */
export function ChatAccounts({ path }: { path: string }) {
  const { data } = useResource<OwnMembershipView>(path);
  const chats = (useResource<ChannelView[]>('/api/v1/channels').data ?? []).filter(
    ({ canAcknowledge }) => canAcknowledge,
  );
  const accounts = data?.chatAccounts ?? [];
  const titleOf = (type: string) => chats.find((chat) => chat.type === type)?.title ?? type;
  const save = (kept: readonly Pick<ChatAccountView, 'type' | 'id'>[]) =>
    change('PATCH', path, { body: { chatAccounts: kept.map(({ type, id }) => ({ type, id })) } });
  const form = useForm({
    initial: NEW,
    onSubmit: async ({ type, id }) => {
      await save([...accounts, { type, id: id.trim() }]);
      form.reset({ type, id: '' });
      toast(`A code is on its way to your ${titleOf(type)} account.`);
    },
  });
  if (!data || chats.length === 0) return null;
  const remove = (account: ChatAccountView) =>
    void save(accounts.filter((one) => one !== account)).then(
      () => toast(`Your ${titleOf(account.type)} account is unlinked.`),
      toastFault,
    );
  return (
    <div class="card card-body max-44 lines gap-4">
      <div>
        <h3>Chat accounts</h3>
        <p class="soft">With a linked account you acknowledge by the button in a message. A bot sends a code there.</p>
      </div>
      {accounts.map((account) => (
        <Account
          key={`${account.type} ${account.id}`}
          account={account}
          title={titleOf(account.type)}
          path={path}
          resend={() =>
            void save(accounts).then(() => toast(`Another code is on its way to ${account.id}.`), toastFault)
          }
          remove={() => remove(account)}
        />
      ))}
      <Form form={form} action="Send a code">
        <Field name="type" label="Chat" options={chats.map(({ type, title }) => ({ value: type, label: title }))} />
        <Field name="id" label="Account ID" placeholder="U024BE7LH" hint={WHERE} />
      </Form>
    </div>
  );
}

/** One account, and the way to confirm it. */
function Account(props: {
  account: ChatAccountView;
  title: string;
  path: string;
  resend: () => void;
  remove: () => void;
}) {
  const { account, title, path, resend, remove } = props;
  const { type, id, isConfirmed } = account;
  const form = useForm({
    initial: { code: '' },
    onSubmit: async ({ code }) => {
      await change('POST', `${path}/chat-accounts/confirm`, { body: { type, id, code: code.trim() } });
      toast(`Your ${title} account is linked.`);
    },
  });
  if (isConfirmed)
    return (
      <div class="row">
        <span>
          <strong>{title}</strong> {id} is linked.
        </span>
        <Button text="Unlink" label={`Unlink ${title} ${id}`} onClick={remove} />
      </div>
    );
  return (
    <div class="note note-partial">
      <p>
        <strong>
          {title} {id} is not linked yet.
        </strong>{' '}
        Enter the code that the bot sent there.
      </p>
      <Form form={form} action="Link">
        <Field name="code" label="Code from the bot" placeholder="048213" />
      </Form>
      <div class="row">
        <Button text="Send another code" onClick={resend} />
        <Button text="Remove" label={`Remove ${title} ${id}`} onClick={remove} />
      </div>
    </div>
  );
}
