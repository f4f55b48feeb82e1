import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import type { Product } from '@watchpost/control-plane/capabilities/plans/plan-schemas';
import { hasRole, workspace, workspaceId } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { toast } from '../../frame/toasts.js';
import { Toggle } from '../../parts/inputs.js';
import { Field, Form, Switch } from '../../parts/form.js';
import { Section } from '../../parts/section.js';
import { useEdit, type FormModel } from '../../parts/use-form.js';
import { GroupsEditor } from './groups-editor.js';
import { bodyOf, groupsText, valuesOf, type PageValues } from './page-values.js';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.js';

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
    <div class="status-pages-editor lines top">
      {hasRole('Editor') ? (
        <Form form={form} action={isChanged ? 'Save' : 'Saved'} conflict={conflict}>
          <GroupsEditor form={form} />
          <Settings form={form} />
        </Form>
      ) : (
        <p class="note">Your role can look at the page. Editors of this workspace change it.</p>
      )}
      <PagePreview page={page} isChanged={isChanged} />
    </div>
  );
}

const THEMES = [
  { value: 'auto', label: 'Match the visitor’s system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function Settings({ form }: { form: FormModel<PageValues> }) {
  return (
    <Section look="card" title="Page">
      <Field name="name" label="Name" />
      <Field
        name="slug"
        label="Address"
        hint="A new address takes effect at once. Links, feeds and badges with the former one stop working."
      />
      <Field name="description" label="Description" isLong />
      <Field name="theme" label="Theme" options={THEMES} />
      <Switch
        name="showIncidentHistory"
        label="Show the history"
        hint="Outages and resolved posts of the last 30 days."
      />
      <Switch name="notifyIncidents" label="Send outages to subscribers" hint="Otherwise subscribers only get posts." />
      <Banner form={form} isOn={form.values.value.banner !== null} />
    </Section>
  );
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
        hint={isIncluded ? 'A picture above the name.' : `Banners need the ${more} plan.`}
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

/** The page as visitors see it, or will. It is drawn by the server, from what is saved. */
function PagePreview({ page, isChanged }: { page: StatusPageView; isChanged: boolean }) {
  const [turn, setTurn] = useState(0);
  return (
    <section class="status-pages-preview lines clip card" aria-label="Preview">
      <header class="row between">
        <span class="soft small" role="status">
          {isChanged ? 'Save to see your changes here.' : 'As visitors see it.'}
        </span>
        <Button look="plain" icon="refresh" label="Draw it again" onClick={() => setTurn(turn + 1)} />
      </header>
      {/* Another key is another frame: a new address in the same one would be a step of the browser's history. */}
      <iframe
        key={`${page.lastModified} ${turn}`}
        title={`Preview of ${page.name}`}
        src={`/api/v1/workspaces/${workspaceId.value}/status-page/${page.id}/preview`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        loading="lazy"
      />
    </section>
  );
}
