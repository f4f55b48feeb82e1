import { parentPort, workerData } from 'node:worker_threads';
import { readHolidays } from './read-holidays.js';

const { text, from, to } = workerData as { text: string; from: string; to: string };
parentPort!.postMessage(readHolidays(text, from, to));
