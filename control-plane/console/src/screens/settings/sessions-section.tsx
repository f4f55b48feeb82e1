import { WHOLE } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { ask } from '../../parts/dialog.js';
import { signOut } from '../../frame/sign-out.js';
import { Button } from '../../parts/button.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { actions, Table } from '../../parts/table.js';
import { Time } from '../../parts/marks.js';
import type { SessionView } from './views.js';

const PATH = '/api/v1/user/sessions';

export function SessionsSection() {
  const read = useResource<SessionView[]>(PATH, WHOLE);
  const end = (id: string) =>
    void change('DELETE', `${PATH}/${id}`).then(() => toast('That browser is signed out.'), toastFault);
  const endAll = () =>
    ask({
      title: 'Sign out everywhere?',
      action: 'Sign out everywhere',
      consequences: ['Every browser is signed out, this one included.', 'API keys go on working.'],
      onConfirm: () => signOut(true),
    });
  return (
    <Section
      look="stack"
      title="Signed-in browsers"
      lead="A session ends 12 hours after its last use, and after 30 days in any case."
      aside={<Button text="Sign out everywhere" look="danger" onClick={endAll} />}
    >
      <Loaded of={read}>
        {(sessions) => (
          <Table
            label="Sessions"
            rows={sessions}
            columns={{
              Browser: ({ userAgent, remoteAddress }) => (
                <span class="lines">
                  <strong title={userAgent ?? undefined}>{browserText(userAgent)}</strong>
                  <span class="soft small">{remoteAddress ?? 'Unknown address'}</span>
                </span>
              ),
              'Signed in': { isNumber: true, cell: ({ created }) => <Time at={created} as="moment" /> },
              'Last used': { isNumber: true, cell: ({ lastSeen }) => <Time at={lastSeen} /> },
              ...actions<SessionView>(({ id, isCurrent }) =>
                isCurrent ? <span class="chip">This browser</span> : <Button text="Sign out" onClick={() => end(id)} />,
              ),
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}

const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const;
const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** The name of a browser by its `User-Agent` (RFC 9110 §10.1.5): `Firefox on Linux`. */
function browserText(userAgent: string | null): string {
  const find = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return userAgent?.slice(0, 60) || 'Unknown browser';
  return system === undefined ? browser : `${browser} on ${system}`;
}
