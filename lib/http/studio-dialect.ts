import { z } from 'zod';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { task, type Task } from '@/lib/contract/tasks/task';
import { dialectHeader, studioPathOf, toStudioPolicies, toStudioTask } from '@/lib/core/studio-dialect';

/**
 * Whether a request was sent to `/api/studio`, which serves clients of the Studio API: replies have the names and statuses
 * that these clients expect, errors are the same. web/request-filter.ts marks these requests.
 */
export const isStudio = (request: Request): boolean => request.headers.get(dialectHeader) === 'studio';

/** Whether an endpoint exists below `/api/studio`. Endpoints for API keys and players do, unless their definition says no. */
export function isInStudio({ auth, path, studio }: Endpoint): boolean {
  if (studio === false) return false;
  return auth === 'public' ? !path.startsWith('/api/dashboard/') : auth === 'key-or-session';
}

/** The URL that the client called. */
export function calledUrl(request: Request): URL {
  const url = new URL(request.url);
  if (isStudio(request)) url.pathname = studioPathOf(url.pathname);
  return url;
}

/** Status and schema of a successful reply to this request. */
export function replyOf(request: Request, endpoint: Endpoint): Pick<Endpoint, 'status' | 'response'> {
  return isStudio(request) && endpoint.studio ? { ...endpoint, ...endpoint.studio } : endpoint;
}

/** Converts a reply to the names of the Studio API. */
export function toStudioDialect(schema: z.ZodType, body: unknown): unknown {
  return toStudioPolicies(withStudioTasks(schema, body));
}

/** Converts the tasks of a body: the body itself, the entries of a list, or the field `task` next to an asset. */
function withStudioTasks(schema: z.ZodType, body: unknown): unknown {
  if (schema === task) return toStudioTask(body as Task);
  if (schema instanceof z.ZodArray && schema.element === task) return (body as Task[]).map(toStudioTask);
  if (schema instanceof z.ZodObject && schema.shape['task'] === task)
    return { ...(body as object), task: toStudioTask((body as { task: Task }).task) };
  return body;
}
