import type { ReactNode } from 'react';
import { Mark } from '@/components/ui/mark';

/** Words on the stage while there is no picture. */
export function PlayerMessage({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-1 bg-[#0b1013]/85 p-6 text-center text-white">
      <Mark className="mb-3 size-9 text-[#5cc8c3] max-sm:size-7" />
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      <p className="max-w-sm text-[#b9c4c8]">{text}</p>
      {children}
    </div>
  );
}
