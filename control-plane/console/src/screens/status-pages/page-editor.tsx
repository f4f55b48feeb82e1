import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { hasRole, workspace } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast } from '../../frame/toasts.js';
import { Select, Toggle } from '../../parts/choices.js';
import { Field, Form } from '../../parts/form.js';
import { useEdit } from '../../parts/use-edit.js';
import type { FormModel } from '../../parts/use-form.js';
import { GroupsEditor } from './groups-editor.js';
import { bodyOf, groupsText, valuesOf, type PageValues } from './page-values.js';
import { PagePreview } from './page-preview.js';

/** The settings and systems of a page beside the page itself. */
export function PageEditor({ page, etag }: { page: StatusPageView; etag: string | null }) {
  const { form, conflict } = useEdit({
    method: 'PUT',
    path: `/api/v1/status-page/${page.id}`,
    read: { data: page, etag },
    pick: valuesOf,
    toBody: bodyOf,
    draft: `status-page ${page.id}`,
    names: { groups: 'systems' },
    shown: (value, path) => (path === 'groups' ? groupsText(value as PageValues['groups']) : value),
    onSaved: ({ name }) => toast(`Saved: ${name}`),
  });
  const isChanged = form.isChanged();
  return (
    <div class="status-pages-editor">
      {hasRole('Editor') ? (
        <Form form={form} action={isChanged ? 'Save' : 'Saved'} conflict={conflict}>
          <GroupsEditor form={form} pageId={page.id} />
          <Settings form={form} />
        </Form>
      ) : (
        <p class="note">Your role can look at the page. Editors of this workspace change it.</p>
      )}
      <PagePreview page={page} isChanged={isChanged} />
    </div>
  );
}

function Settings({ form }: { form: FormModel<PageValues> }) {
  const { banner, showIncidentHistory, notifyIncidents } = form.values.value;
  return (
    <section class="card card-body stack" aria-label="Page">
      <h2>Page</h2>
      <Field name="name" label="Name" />
      <Field
        name="slug"
        label="Address"
        hint="A new address takes effect at once. Links, feeds and badges with the former one stop working."
      />
      <Field name="description" label="Description" isLong />
      <Field name="theme" label="Theme">
        {(control) => (
          <Select
            control={control}
            options={[
              { value: 'auto', label: 'Match the visitor’s system' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
        )}
      </Field>
      <Toggle
        label="Show the history"
        hint="Outages and resolved posts of the last 30 days."
        isOn={showIncidentHistory}
        onChange={(isOn) => form.set('showIncidentHistory', isOn)}
      />
      <Toggle
        label="Send outages to subscribers"
        hint="Otherwise subscribers only get posts."
        isOn={notifyIncidents}
        onChange={(isOn) => form.set('notifyIncidents', isOn)}
      />
      <Banner form={form} isOn={banner !== null} />
    </section>
  );
}

interface Product {
  name: string;
  features: { banner: boolean };
}

/** A picture above the name. Where the plan has none, the plan that does is named. */
function Banner({ form, isOn }: { form: FormModel<PageValues>; isOn: boolean }) {
  const products = useResource<Product[]>('/api/v1/product').data;
  const plan = workspace.value?.plan;
  const isIncluded = products?.find(({ name }) => name === plan)?.features.banner ?? true;
  const more = products?.find(({ features }) => features.banner)?.name;
  return (
    <>
      <Toggle
        label="Banner"
        hint={isIncluded ? 'A picture above the name.' : `${plan} has no banners. ${more} has.`}
        isOn={isOn}
        disabled={!isIncluded && !isOn}
        onChange={(next) => form.set('banner', next ? { imageUrl: '', linkUrl: null, altText: '' } : null)}
      />
      {isOn && (
        <>
          <Field name="banner.imageUrl" label="Address of the picture" type="url" placeholder="https://…" />
          <Field name="banner.altText" label="What it shows" hint="For those who do not see it." />
          <Field name="banner.linkUrl" label="Where it leads" type="url" placeholder="https://…" />
        </>
      )}
    </>
  );
}
