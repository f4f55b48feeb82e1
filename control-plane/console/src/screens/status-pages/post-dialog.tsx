import { POST_LOOKS } from '@watchpost/shared/design/states';
import type { PostView } from '@watchpost/control-plane/capabilities/status-pages/post-schemas';
import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../data/api.js';
import { change } from '../../data/resources.js';
import { toast } from '../../frame/toasts.js';
import { Choices, Select } from '../../parts/inputs.js';
import { EditDialog, FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import type { FormModel } from '../../parts/use-form.js';
import {
  bodyOfPost,
  firstStatusOf,
  GONE_SYSTEM,
  KIND_WORDS,
  NEW_POST,
  statusesOf,
  systemNames,
  valuesOfPost,
  type PostValues,
} from './post-values.js';

interface PostDialogProps {
  page: StatusPageView;
  /** The one that is changed; undefined for a new one. */
  post: PostView | undefined;
}

/** Writes a post, or adds to one: what was posted stays in its thread. */
export function PostDialog({ page, post }: PostDialogProps) {
  const path = `/api/v1/status-page/${page.id}/incidents`;
  const shared = { draft: `post ${page.id} ${post?.id ?? 'new'}`, isWide: true };
  const saved = ({ title }: { title: string }) => (page.isPublished ? `Posted: ${title}` : `Saved: ${title}`);
  if (post !== undefined)
    return (
      <EditDialog
        {...shared}
        title={`Update “${post.title}”`}
        action="Update"
        method="PATCH"
        path={`${path}/${post.id}`}
        rows={6}
        pick={valuesOfPost}
        toBody={bodyOfPost}
        shown={(value, field) =>
          field === 'systemIds' ? (value as string[]).map((id) => systemNames(page).get(id) ?? GONE_SYSTEM) : value
        }
        saved={saved}
      >
        {(form, read) => <PostFields form={form} page={page} post={read} />}
      </EditDialog>
    );
  return (
    <FormDialog
      {...shared}
      title="New post"
      action="Post"
      initial={NEW_POST}
      onSubmit={async (values) =>
        toast(saved((await change<PostView>('POST', path, { body: bodyOfPost(values, undefined) })).body))
      }
    >
      {(form) => (
        <>
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
          <PostFields form={form} page={page} />
        </>
      )}
    </FormDialog>
  );
}

/** @param post the one that is changed; undefined for a new one */
function PostFields({ form, page, post }: { form: FormModel<PostValues>; page: StatusPageView; post?: PostView }) {
  const { kind, systemIds, body } = form.values.value;
  const names = systemNames(page);
  // Those that are no longer on the page can be taken off: the API refuses them in a list that is sent.
  const options = [...new Set([...names.keys(), ...(post?.systemIds ?? [])])];
  return (
    <>
      <Field name="title" label="Title" placeholder="Payments are slow" />
      <Field
        name="status"
        label="State"
        options={statusesOf(kind).map((value) => ({ value, label: POST_LOOKS[value].word }))}
      />
      <Field
        name="body"
        label={post === undefined ? 'Text' : 'What is new'}
        hint={post === undefined ? 'Markdown.' : 'Markdown. It is added above what was posted before.'}
        isLong
      />
      <PostPreview text={body} />
      {kind === 'maintenance' && (
        <div class="beside">
          <Field name="scheduledStart" label="Begins" type="datetime-local" hint="In your time zone." />
          <Field name="scheduledEnd" label="Ends" type="datetime-local" />
        </div>
      )}
      {options.length > 0 && (
        <Choices
          label="Systems"
          options={options.map((value) => ({ value, label: names.get(value) ?? GONE_SYSTEM }))}
          values={systemIds}
          onChange={(values) => form.set('systemIds', values)}
        />
      )}
    </>
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
      <div class="card card-body markdown lines gap-2" dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  );
}
