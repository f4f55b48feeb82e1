import { sampleMessages } from '@watchpost/control-plane/capabilities/channels/samples/sample-messages';

const BASE_URL = 'https://watchpost.acme.example';
const MONITOR = { id: '0', name: 'Checkout', url: 'https://checkout.acme.example/', monitorTypes: ['Http'] };
const LINKS = { baseUrl: BASE_URL, evidenceUrl: () => `${BASE_URL}/evidence/example` };

const STYLE = `
  body { margin: 0; padding: 24px; display: grid; gap: 24px; font: 14px/1.5 system-ui, sans-serif; background: #f3f4f7; color: #1d1c1d }
  h1 { font-size: 13px; margin: 0 0 8px; color: #555a66; font-weight: 600 }
  article { background: #fff; border: 1px solid #d9dce3; border-radius: 8px; padding: 16px 20px }
  h2 { font-size: 16px; margin: 0 0 8px } p { margin: 4px 0; white-space: pre-line }
  .embed { border-left: 4px solid; border-radius: 4px; padding: 4px 12px; margin-top: 8px }
  .fields { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin-top: 8px }
  .button { display: inline-block; border: 1px solid #b5bac5; border-radius: 4px; padding: 4px 12px; margin: 8px 8px 0 0; font-weight: 600 }
  .critical { background: #c62828; color: #fff; border-radius: 4px; padding: 1px 8px; font-size: 13px }
  .dot { display: inline-block; width: 14px; height: 14px; border-radius: 50%; background: #dd2e44 }
  a { color: #1264a3 } b { display: block; font-size: 13px } small { color: #555a66 }
  @media (prefers-color-scheme: dark) {
    body { background: #15171c; color: #e4e6eb } article { background: #22252b; border-color: #3a3e47 }
    h1, small { color: #a5abb8 } a { color: #7db8ec } .button { border-color: #5a6070 }
  }`;

/** A page with the first message of an incident, as three services draw the JSON that they get. It is our own drawing of them. */
export function channelMessages(nowMs) {
  const bodyOf = (type) =>
    sampleMessages(
      type,
      { workspaceId: '0', workspaceName: 'Acme', monitor: MONITOR, incident: null },
      null,
      LINKS,
      nowMs,
    )[0].body;
  const parts = [
    ['Discord', drawDiscord(bodyOf('discord'))],
    ['Slack', drawSlack(bodyOf('slack'))],
    ['PagerDuty', drawPagerDuty(bodyOf('pagerduty'))],
  ];
  const articles = parts.map(([name, drawn]) => `<section><h1>${name}</h1><article>${drawn}</article></section>`);
  return `<!doctype html><html lang="en"><title>Messages</title><style>${STYLE}</style><body>${articles.join('')}</body></html>`;
}

function drawDiscord({ embeds: [{ title, description, color, fields }] }) {
  const drawnFields = fields.map(({ name, value }) => `<div><b>${markdown(name)}</b>${markdown(value)}</div>`);
  return `<small>Watchpost · today</small><div class="embed" style="border-color: #${color.toString(16).padStart(6, '0')}">
    <h2>${markdown(title)}</h2><p>${markdown(description)}</p><div class="fields">${drawnFields.join('')}</div></div>`;
}

const BLOCKS = {
  // There is no font with emoji everywhere.
  header: ({ text }) => `<h2>${escaped(text.text).replace('🔴', '<i class="dot"></i>')}</h2>`,
  section: ({ text, fields = [] }) =>
    (text ? `<p>${escaped(text.text)}</p>` : '') +
    `<div class="fields">${fields.map((field) => `<p>${escaped(field.text)}</p>`).join('')}</div>`,
  actions: ({ elements }) => elements.map(({ text }) => `<span class="button">${escaped(text.text)}</span>`).join(''),
};

function drawSlack({ blocks }) {
  return `<small>Watchpost · today</small>${blocks.map((block) => BLOCKS[block.type](block)).join('')}`;
}

function drawPagerDuty({ payload, links, client, dedup_key: key }) {
  const { description, ...details } = payload.custom_details;
  const rows = Object.entries(details).map(([name, value]) => `<p><b>${escaped(name)}</b>${escaped(value)}</p>`);
  return `<h2>${escaped(payload.summary)} <span class="critical">${escaped(payload.severity)}</span></h2>
    <small>Triggered by ${escaped(client)} · ${escaped(payload.source)} · key ${escaped(key)}</small>
    <p>${escaped(description)}</p><div class="fields">${rows.join('')}</div>
    ${links.map(({ text }) => `<span class="button">${escaped(text)}</span>`).join('')}`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The Markdown of an embed: links, and characters after a backslash. */
function markdown(text) {
  return escaped(text)
    .replace(/\[([^\]]+)\]\((https:[^)]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\\(.)/g, '$1');
}
