import type { ReactNode } from 'react';
import { Mark } from './mark';

/** In the place and size of a player that has nothing to play: says why. */
export function QuietStage({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div
      role="status"
      className="grid aspect-video w-full place-content-center justify-items-center gap-1 rounded-lg border bg-[#0b1013] p-6 text-center text-white"
    >
      <Mark className="mb-3 size-9 text-[#5cc8c3] max-sm:size-7" />
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      <p className="max-w-md wrap-anywhere text-[#b9c4c8]">{text}</p>
      {children}
    </div>
  );
}
