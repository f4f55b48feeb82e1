import type { ImportContext } from '../import-context.js';
import { quoted } from '../../import/import-report.js';
import { countOf } from '../../output/format-time.js';
import { idOf, rowsOf } from '../installation.js';
import { numberOf, type Row, textOf } from '../../import/rows.js';
import { tagFor, unique } from '../../import/names.js';

const MOST_TAGS = 20;
/** Of 63 characters; a number may follow it. */
const MOST_GROUP_NAME = 58;

interface GivenTag {
  tagId: number;
  /** As Watchpost takes it. */
  tag: string;
}

/** The tags of each monitor by its id: those of Uptime Kuma, and one for each group that it is in. */
export class MonitorTags {
  readonly #installation: ImportContext['installation'];
  readonly #own = new Map<number, GivenTag[]>();
  readonly #groups = new Map<number, { parent: number | null; tag: string }>();
  /** The ids of the tags that a monitor of the document has. */
  readonly #used = new Set<number>();

  constructor(installation: ImportContext['installation']) {
    this.#installation = installation;
    const tags = new Map(rowsOf(installation, 'tag').map((row) => [idOf(row), row]));
    for (const link of rowsOf(installation, 'monitor_tag')) {
      const row = tags.get(numberOf(link, 'tag_id') ?? 0);
      if (!row) continue;
      const monitorId = numberOf(link, 'monitor_id') ?? 0;
      const tag = tagFor(nameOf(row), textOf(link, 'value')) ?? fallbackOf(row);
      this.#own.set(monitorId, [...(this.#own.get(monitorId) ?? []), { tagId: idOf(row), tag }]);
    }
    // A maintenance window covers a group by its tag, so nothing else may have that one.
    const taken = new Map([...this.#own.values()].flat().map(({ tag }) => [tag, 2]));
    for (const row of rowsOf(installation, 'monitor')) {
      if (textOf(row, 'type') !== 'group') continue;
      const name = tagFor(nameOf(row), null)?.slice(0, MOST_GROUP_NAME) ?? idOf(row);
      const tag = unique(`group:${name}`, '-', taken);
      this.#groups.set(idOf(row), { parent: numberOf(row, 'parent'), tag });
    }
  }

  ofGroup(id: number): string | undefined {
    return this.#groups.get(id)?.tag;
  }

  /** The groups that a monitor is in, from the inside out. */
  groupsAround(row: Row): number[] {
    const found: number[] = [];
    let id = numberOf(row, 'parent');
    while (id !== null && !found.includes(id) && this.#groups.has(id)) {
      found.push(id);
      id = this.#groups.get(id)!.parent;
    }
    return found;
  }

  /** The tags of a monitor of the document, at most 20 in alphabetical order, and what is different where there are more. */
  take(row: Row): { tags: string[]; differences: string[] } {
    const own = this.#own.get(idOf(row)) ?? [];
    for (const { tagId } of own) this.#used.add(tagId);
    const groups = this.groupsAround(row).map((id) => this.#groups.get(id)!.tag);
    const all = [...new Set([...groups, ...own.map(({ tag }) => tag)])];
    const left = all.slice(MOST_TAGS);
    const differences =
      left.length === 0 ? [] : [`has no more than ${MOST_TAGS} tags, without ${left.map(quoted).join(', ')}`];
    return { tags: all.slice(0, MOST_TAGS).toSorted(), differences };
  }

  /** Reports what became of tags, once all monitors are converted. */
  reportRest({ report }: Pick<ImportContext, 'report'>): void {
    const rows = rowsOf(this.#installation, 'tag');
    for (const row of rows) {
      const [name, tag] = [nameOf(row), tagFor(nameOf(row), null) ?? fallbackOf(row)];
      if (!this.#used.has(idOf(row))) report.untaken('tag', name, 'no monitor that was taken over has it');
      else report.partly('tag', name, tag === name ? [] : [`is ${tag} here`]);
    }
    if (rows.length > 0) report.add(`tags: the colours of ${countOf(rows.length, 'tag')} are not kept`);
    const [tags, monitors] = [new Set(rows.map(idOf)), new Set(rowsOf(this.#installation, 'monitor').map(idOf))];
    const lost = rowsOf(this.#installation, 'monitor_tag').filter(
      (link) => !tags.has(numberOf(link, 'tag_id') ?? 0) || !monitors.has(numberOf(link, 'monitor_id') ?? 0),
    );
    if (lost.length > 0) report.add(`tags: ${countOf(lost.length, 'link')} to a tag or monitor that does not exist`);
  }
}

const nameOf = (row: Row) => textOf(row, 'name') ?? `tag ${idOf(row)}`;
const fallbackOf = (row: Row) => `tag-${idOf(row)}`;
