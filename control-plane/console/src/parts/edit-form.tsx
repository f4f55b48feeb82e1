import type { ComponentChildren } from 'preact';
import { useResource } from '../data/resources.js';
import { toast } from '../frame/toasts.js';
import { Dialog, useClose } from './dialog.js';
import { Form } from './form.js';
import { Loaded } from './loaded.js';
import { useEdit, type EditOptions, useForm, type FormModel } from './use-form.js';

interface EditFormProps<B, T> extends Omit<EditOptions<B, T>, 'read'> {
  action?: string;
  /** It takes the room of so many rows until it is read. */
  rows?: number;
  saved?: (body: B) => string | undefined;
  onClose?: () => void;
  children: (form: FormModel<T>, data: B) => ComponentChildren;
  beside?: (form: FormModel<T>) => ComponentChildren;
}

/** Reads something with its ETag, so that somebody else's change is not overwritten, and edits it. */
export function EditForm<B, T extends object>(props: EditFormProps<B, T>) {
  const read = useResource<B>(props.readPath ?? props.path);
  return (
    <Loaded of={read} rows={props.rows ?? 4}>
      {(data) => <ReadForm {...props} read={{ data, etag: read.etag }} />}
    </Loaded>
  );
}

function ReadForm<B, T extends object>(props: EditFormProps<B, T> & Pick<EditOptions<B, T>, 'read'>) {
  const { action = 'Save', saved = () => 'Saved.', onClose, children, beside, ...options } = props;
  const { form, conflict } = useEdit<B, T>({
    ...options,
    hasLabels: true,
    onSaved: (body) => {
      const text = saved(body);
      if (text !== undefined) toast(text);
      options.onSaved?.(body);
      onClose?.();
    },
  });
  const shown = (
    <Form form={form} action={action} conflict={conflict} {...(onClose && { onCancel: onClose })}>
      {children(form, options.read.data)}
    </Form>
  );
  if (beside === undefined) return shown;
  return (
    <div class="lines fit-17 gap-5">
      {shown}
      {beside(form)}
    </div>
  );
}

interface DialogProps {
  title: string;
  isWide?: boolean;
}

/** `EditForm` in a dialog, which closes once it is saved. */
export function EditDialog<B, T extends object>({ title, isWide = false, ...form }: DialogProps & EditFormProps<B, T>) {
  const close = useClose();
  return (
    <Dialog title={title} isWide={isWide}>
      <EditForm {...form} onClose={close} />
    </Dialog>
  );
}

interface NewDialogProps<T> extends DialogProps {
  action: string;
  initial: T;
  draft?: string;
  /** Rejects with an ApiFault; when it resolves, the dialog closes. */
  onSubmit: (values: T) => Promise<unknown>;
  children: (form: FormModel<T>) => ComponentChildren;
}

/** A form in a dialog, which closes once it is sent. */
export function FormDialog<T extends object>(props: NewDialogProps<T>) {
  const { title, isWide = false, action, onSubmit, children, ...options } = props;
  const close = useClose();
  const form = useForm({ ...options, onSubmit: (values) => onSubmit(values).then(close) });
  return (
    <Dialog title={title} isWide={isWide}>
      <Form form={form} action={action} onCancel={close}>
        {children(form)}
      </Form>
    </Dialog>
  );
}
