import type { PostView } from '@watchpost/control-plane/capabilities/status-pages/post-schemas';
import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../data/api.js';
import { change } from '../../data/change.js';
import { toast } from '../../frame/toasts.js';
import { Choices, Select } from '../../parts/choices.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { useForm } from '../../parts/use-form.js';
import {
  bodyOfPost,
  firstStatusOf,
  KIND_WORDS,
  NEW_POST,
  POST_STATES,
  statusesOf,
  valuesOfPost,
} from './post-values.js';

interface PostDialogProps {
  page: StatusPageView;
  /** The one that is changed; undefined for a new one. */
  post: PostView | undefined;
  onClose: () => void;
}

/** Writes a post, or adds to one: what was posted stays in its thread. */
export function PostDialog({ page, post, onClose }: PostDialogProps) {
  const path = `/api/v1/status-page/${page.id}/incidents`;
  const form = useForm({
    initial: post === undefined ? NEW_POST : valuesOfPost(post),
    draft: `post ${page.id} ${post?.id ?? 'new'}`,
    onSubmit: async (values) => {
      const body = bodyOfPost(values, post);
      await (post === undefined ? change('POST', path, { body }) : change('PATCH', `${path}/${post.id}`, { body }));
      toast(page.isPublished ? `Posted: ${values.title}` : `Saved: ${values.title}`);
      onClose();
    },
  });
  const { kind, systemIds, body: text } = form.values.value;
  const systems = page.groups.flatMap((group) => group.systems);
  return (
    <Dialog title={post === undefined ? 'New post' : `Update “${post.title}”`} onClose={onClose} isWide>
      <Form form={form} action={post === undefined ? 'Post' : 'Update'} onCancel={onClose}>
        {post === undefined && (
          <Field name="kind" label="About">
            {(control) => (
              <Select
                control={{
                  ...control,
                  set: (value) => {
                    control.set(value);
                    form.set('status', firstStatusOf(value as PostView['kind']));
                  },
                }}
                options={Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label }))}
              />
            )}
          </Field>
        )}
        <Field name="title" label="Title" placeholder="Payments are slow" />
        <Field name="status" label="State">
          {(control) => (
            <Select
              control={control}
              options={statusesOf(kind).map((value) => ({ value, label: POST_STATES[value].word }))}
            />
          )}
        </Field>
        <Field
          name="body"
          label={post === undefined ? 'Text' : 'What is new'}
          hint={post === undefined ? 'Markdown.' : 'Markdown. It is added above what was posted before.'}
          isLong
        />
        <PostPreview text={text} />
        {kind === 'maintenance' && (
          <div class="status-pages-pair">
            <Field name="scheduledStart" label="Begins" type="datetime-local" hint="In your time zone." />
            <Field name="scheduledEnd" label="Ends" type="datetime-local" />
          </div>
        )}
        {systems.length > 0 && (
          <Choices
            label="Systems"
            options={systems.map(({ id, name }) => ({ value: id, label: name }))}
            values={systemIds}
            onChange={(values) => form.set('systemIds', values)}
          />
        )}
      </Form>
    </Dialog>
  );
}

const PAUSE_MS = 400;

/** The text as visitors will see it, by the renderer of the public page. */
function PostPreview({ text }: { text: string }) {
  const [html, setHtml] = useState('');
  const body = text.trim();
  useEffect(() => {
    let isCurrent = true;
    const show = (next: string) => isCurrent && setHtml(next);
    const timer = setTimeout(() => {
      if (body === '') return show('');
      // Where it cannot be rendered now, the last one stays; posting reports what is wrong.
      request<{ html: string }>('POST', '/api/v1/status-page/post-preview', { body: { body } }).then(
        (answer) => show(answer.body.html),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [body]);
  if (html === '') return null;
  return (
    <section class="field" aria-label="Preview">
      <span class="soft small">As visitors see it</span>
      <div class="card card-body markdown" dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  );
}
