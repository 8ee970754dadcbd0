import { z } from 'zod';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { task, type Task } from '@/lib/contract/tasks/task';
import { dialectHeader, studioPathOf, withStudioPolicies, toStudioTask } from '@/lib/core/studio-dialect';

/**
 * Whether a request was sent to `/api/studio`, which serves clients of the Livepeer Studio API: replies have the names and
 * statuses that these clients expect, errors are the same. web/request-filter.ts marks these requests.
 */
export const isStudioRequest = (request: Request): boolean => request.headers.get(dialectHeader) === 'studio';

/**
 * Whether an endpoint exists below `/api/studio`: endpoints for API keys, and public endpoints outside the dashboard, unless
 * their definition has `studio: false`.
 */
export function existsInStudioApi({ auth, path, studio }: Endpoint): boolean {
  if (studio === false) return false;
  return auth === 'public' ? !path.startsWith('/api/dashboard/') : auth === 'key-or-session';
}

/** The URL that the client called. The request filter has removed `/studio` from the path. */
export function calledUrl(request: Request): URL {
  const url = new URL(request.url);
  if (isStudioRequest(request)) url.pathname = studioPathOf(url.pathname);
  return url;
}

/** Status and schema of the successful response to this request. Those of `endpoint.studio` replace those of `endpoint`. */
export function successResponseOf(
  request: Request,
  endpoint: Endpoint,
): Pick<Endpoint, 'status' | 'response'> {
  return isStudioRequest(request) && endpoint.studio ? { ...endpoint, ...endpoint.studio } : endpoint;
}

/**
 * Converts the body of a successful response for clients of the Livepeer Studio API: tasks and playback policies.
 * @param schema schema of the body, which tells where it has tasks
 */
export function toStudioDialect(schema: z.ZodType, body: unknown): unknown {
  return withStudioPolicies(withStudioTasks(schema, body));
}

/** Converts the tasks of a body: the body itself, the entries of a list, or the field `task` next to an asset. */
// Schemas are compared by identity: every response with a task is defined with the one schema `task`.
function withStudioTasks(schema: z.ZodType, body: unknown): unknown {
  if (schema === task) return toStudioTask(body as Task);
  if (schema instanceof z.ZodArray && schema.element === task) return (body as Task[]).map(toStudioTask);
  if (schema instanceof z.ZodObject && schema.shape['task'] === task)
    return { ...(body as object), task: toStudioTask((body as { task: Task }).task) };
  return body;
}
