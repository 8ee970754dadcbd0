import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** A note that the user should read before continuing. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="border-warn-line bg-warn-soft text-warn-ink flex gap-2 rounded-md border px-3 py-2 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
