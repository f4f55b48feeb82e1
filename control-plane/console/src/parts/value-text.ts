import { utcText } from './format.js';

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value of a change, for people: what is absent is a dash, lists are separated by commas. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return '–';
    return value.map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each))).join(', ');
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return MOMENT.test(value) ? utcText(Date.parse(value)) : value;
}
