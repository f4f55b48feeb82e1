import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fullDayText, writeTime } from '@watchpost/shared/design/texts';
import { nowMs } from '../data/clock.js';
import { addMonths, dayOf, sameDayOf, weeksOf } from '../data/days.js';
import { Button, Icon } from './button.js';
import { type DateKind, dateText, dayByKey, EXAMPLES, isWhole, readDate } from './date-text.js';
import { localText } from './format.js';
import { placeAt } from './menu.js';

interface DateProps {
  /** It is written as the inputs of browsers have it: `2026-11-22`, `10:00` or `2026-11-22T10:00`; '' is none. */
  value: string | undefined;
  /** It gets what was typed as it is if that is no date, so that it can be refused with a reason. */
  onChange: (value: string) => void;
  kind?: DateKind;
  /** The days between these are shown in the calendar. */
  span?: readonly [from: string, to: string];
  id?: string;
  'aria-label'?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}

/** A day, a time of day or both: typed in the format of the console, or chosen in a calendar (button, or Alt with the down arrow). */
export function DateInput({ value = '', onChange, kind = 'date', span, ...attributes }: DateProps) {
  const [typed, setTyped] = useState<string>();
  const [isTyping, setTyping] = useState(false);
  const [isOpen, setOpen] = useState(false);
  // A press on the button closes the calendar before it is a click.
  const wasOpen = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const today = localText(nowMs()).slice(0, 10);
  const read = (text: string) => (text.trim() === '' ? '' : readDate(kind, text, today, value));
  const shown = typed ?? dateText(value);
  const isWrong = !isTyping && read(shown) === undefined;
  const finish = (text: string) => {
    const date = read(text);
    setTyped(date === undefined ? text : undefined);
    setTyping(false);
    onChange(date ?? text);
  };
  const close = () => {
    setOpen(false);
    button.current!.focus();
  };
  const describedBy = [attributes['aria-describedby'], isWrong && id].filter(Boolean).join(' ') || undefined;
  return (
    <span class="lines gap-1">
      <span class={`date-input date-input-${kind}`}>
        <input
          {...attributes}
          ref={input}
          class="input tabular"
          value={shown}
          placeholder={kind === 'time' ? EXAMPLES.time : `e.g. ${EXAMPLES[kind]}`}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={attributes['aria-invalid'] ?? (isWrong || undefined)}
          aria-describedby={describedBy}
          onInput={({ currentTarget: { value: text } }) => {
            setTyped(text);
            setTyping(true);
            const date = read(text);
            if (date === '' || (date !== undefined && isWhole(text))) onChange(date);
          }}
          onChange={(event) => finish(event.currentTarget.value)}
          onBlur={() => {
            setTyping(false);
            if (read(shown) !== undefined) setTyped(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' && event.altKey && kind !== 'time') {
              event.preventDefault();
              setOpen(true);
            }
          }}
        />
        {kind !== 'time' && (
          <button
            ref={button}
            type="button"
            class="btn btn-plain btn-icon"
            aria-label="Calendar"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onPointerDown={() => {
              wasOpen.current = isOpen;
            }}
            onClick={({ detail }) => setOpen(detail === 0 || !wasOpen.current)}
          >
            <Icon name="calendar" />
          </button>
        )}
      </span>
      {isWrong && (
        <span class="field-faults small" id={id}>
          Write it as {EXAMPLES[kind]}.
        </span>
      )}
      {isOpen && (
        <CalendarDialog
          day={dayOf(value.slice(0, 10))}
          today={today}
          span={span}
          opener={button.current!}
          onChoose={(day) => {
            finish(kind === 'date' ? day : `${day}T${value.slice(11, 16) || '00:00'}`);
            close();
          }}
          onLeave={close}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  );
}

interface CalendarProps {
  /** The one that is chosen; '' for none. */
  day: string;
  today: string;
  span: DateProps['span'];
  opener: HTMLElement;
  onChoose: (day: string) => void;
  onLeave: () => void;
  onClose: () => void;
}

/** A month to choose a day of, above everything else, with the keys of the date picker of the WAI-ARIA authoring practices. */
function CalendarDialog({ day, today, span, opener, onChoose, onLeave, onClose }: CalendarProps) {
  const dialog = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(day || today);
  const isByKey = useRef(true);
  const id = useId();
  useLayoutEffect(() => {
    dialog.current!.showPopover();
    placeAt(opener, dialog.current!);
  }, []);
  useLayoutEffect(() => {
    if (isByKey.current) dialog.current!.querySelector<HTMLElement>('[tabindex="0"]')!.focus();
  }, [focused]);
  const turn = (months: number) => {
    isByKey.current = false;
    setFocused(sameDayOf(focused, months));
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // The dialog around it stays.
      event.preventDefault();
      event.stopPropagation();
      onLeave();
    }
    const isDay = (event.target as HTMLElement).matches('[data-day]');
    const next = isDay ? dayByKey(event.key, event.shiftKey, focused) : undefined;
    if (next === undefined) return;
    event.preventDefault();
    isByKey.current = true;
    setFocused(next);
  };
  const month = addMonths(focused, 0);
  return (
    <div
      ref={dialog}
      class="menu calendar-dialog"
      popover="auto"
      role="dialog"
      aria-label="Choose a day"
      onKeyDown={press}
      onToggle={(event: { newState: string }) => event.newState === 'closed' && onClose()}
      onFocusOut={(event) => {
        const next = event.relatedTarget as Node | null;
        if (next !== null && !dialog.current!.contains(next)) onClose();
      }}
    >
      <div class="flex center between">
        <Button look="plain" icon="left" label="Month before" onClick={() => turn(-1)} />
        <strong id={id} aria-live="polite">
          {writeTime('month', Date.parse(month), 'UTC')}
        </strong>
        <Button look="plain" icon="right" label="Month after" onClick={() => turn(1)} />
      </div>
      <table role="grid" aria-labelledby={id} class="tabular">
        <thead>
          <tr>
            {weeksOf(month)[0]!.map((each) => {
              const name = writeTime('weekdayName', Date.parse(each), 'UTC');
              return (
                <th key={each} scope="col" abbr={name} class="soft small normal">
                  {name.slice(0, 2)}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <td key={each} aria-selected={each === day}>
                  <button
                    type="button"
                    data-day
                    class={[
                      each.slice(0, 7) !== month.slice(0, 7) && 'soft',
                      span && each > span[0].slice(0, 10) && each < span[1].slice(0, 10) && 'is-between',
                      each === today && 'strong underline',
                    ]
                      .filter(Boolean)
                      .join(' ')}
                    tabIndex={each === focused ? 0 : -1}
                    aria-label={fullDayText(Date.parse(each))}
                    aria-current={each === today ? 'date' : undefined}
                    onClick={() => onChoose(each)}
                  >
                    {Number(each.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RangeProps {
  /** It names for screen readers what the range is of. */
  label: string;
  names: readonly [from: string, to: string];
  /** Both are written as the value of `DateInput`. */
  values: readonly [from: string, to: string];
  onChange: (from: string, to: string) => void;
  kind?: DateKind;
}

/** From one moment to another; those that are entered the other way round change places. */
export function DateRange({ label, names, values, onChange, kind = 'date' }: RangeProps) {
  const id = useId();
  const put = (at: number, value: string) => {
    const [from, to] = values.with(at, value) as [string, string];
    const areDays = [from, to].every((each) => dayOf(each.slice(0, 10)) !== '');
    if (areDays && from > to) onChange(to, from);
    else onChange(from, to);
  };
  return (
    <span class="wrap gap-3" role="group" aria-label={label}>
      {names.map((name, at) => (
        <span key={name} class="field">
          <label class="field-label" for={`${id}-${at}`}>
            {name}
          </label>
          <DateInput
            id={`${id}-${at}`}
            kind={kind}
            value={values[at]}
            span={values}
            onChange={(value) => value !== values[at] && put(at, value)}
          />
        </span>
      ))}
    </span>
  );
}
