import { TriangleAlert } from 'lucide-react';
import { asSentence } from '@/components/ui/form/server-sentences';
import type { StatusTone } from '@/components/ui/status-pill';
import { reconnecting } from '@/lib/core/streams/stream-doctor';

interface StreamState {
  isActive: boolean;
  suspended: boolean;
  issues?: readonly string[] | null;
}

/** The one word for a stream's state, and its colour. Suspended wins: such a stream cannot be live. */
export function streamStatus({ isActive, suspended, issues }: StreamState): {
  label: string;
  tone: StatusTone;
} {
  if (suspended) return { label: 'Suspended', tone: 'warn' };
  if (isActive && issues?.includes(reconnecting)) return { label: 'Reconnecting', tone: 'warn' };
  return isActive ? { label: 'Live', tone: 'live' } : { label: 'Idle', tone: 'idle' };
}

/** What is wrong with the incoming video, in the words of the service. */
export function StreamIssues({ issues }: { issues: readonly string[] }) {
  if (issues.length === 0) return null;
  return (
    <div
      role="status"
      className="border-warn-line bg-warn-soft text-warn-ink mb-6 rounded-lg border px-4 py-3"
    >
      <h2 className="flex items-center gap-2 font-medium">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
        {issues.length === 1 ? '1 issue needs attention' : `${issues.length} issues need attention`}
      </h2>
      <ul className="mt-1 grid gap-1 pl-6 wrap-anywhere">
        {issues.map((issue) => (
          <li key={issue}>{asSentence(issue)}</li>
        ))}
      </ul>
    </div>
  );
}
