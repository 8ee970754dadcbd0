import { TriangleAlert } from 'lucide-react';
import { asSentence } from '@/components/ui/as-sentence';

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
