import { cn } from '@/components/ui/class-names';
import type { Method } from './model/reference';

const shortLabels: Readonly<Record<Method, string>> = {
  GET: 'GET',
  POST: 'POST',
  PUT: 'PUT',
  PATCH: 'PATCH',
  DELETE: 'DEL',
};

/** Red is reserved for destructive methods. */
const methodClasses: Readonly<Record<Method, string>> = {
  GET: 'bg-hover text-ink-2',
  POST: 'bg-accent-soft text-accent-ink',
  PUT: 'bg-warn-soft text-warn-ink',
  PATCH: 'bg-warn-soft text-warn-ink',
  DELETE: 'bg-live-soft text-live-ink',
};

export function MethodBadge({ method, isShort = false }: { method: Method; isShort?: boolean }) {
  return (
    <span
      className={cn(
        'shrink-0 rounded-sm px-1.5 text-center font-mono text-xs leading-5 font-medium',
        isShort && 'w-12 px-0 text-[0.6875rem]',
        methodClasses[method],
      )}
    >
      {isShort ? shortLabels[method] : method}
    </span>
  );
}
