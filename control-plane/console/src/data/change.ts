import { request, type Answer, type Method, type RequestOptions } from './api.js';
import { refreshAll } from './resources.js';

/**
 * Changes something by the API, and reads again what is shown.
 * @throws ApiFault as `request`
 */
export async function change<T = unknown>(
  method: Exclude<Method, 'GET'>,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const answer = await request<T>(method, path, options);
  refreshAll();
  return answer;
}
