import { parentPort, workerData } from 'node:worker_threads';
import { readYamlText } from '@watchpost/shared/read-yaml';

parentPort!.postMessage(readYamlText(workerData as string));
