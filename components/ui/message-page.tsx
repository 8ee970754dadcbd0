import type { ReactNode } from 'react';
import { LogoMark, Wordmark } from './mark';

interface MessagePageProps {
  /** Small text above the title: "404". */
  code: string;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** A whole page with a single message. */
export function MessagePage({ code, title, children, action }: MessagePageProps) {
  return (
    <main className="flex min-h-dvh flex-col px-4 py-6 sm:px-12">
      <Wordmark />
      <div className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center gap-2 pb-24">
        <p className="text-ink-3 font-mono text-sm">{code}</p>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <div className="text-ink-2">{children}</div>
        {action && <div className="mt-5 flex flex-wrap gap-2">{action}</div>}
      </div>
    </main>
  );
}

/** A message in place of a player, with its size, for example if the content does not exist. */
export function StageMessage({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div
      role="status"
      // On a phone, the text may be higher than 16:9 allows, which would make the element wider than the page.
      className="grid aspect-video w-full min-w-0 place-content-center justify-items-center gap-1 rounded-lg border bg-[#0b1013] p-6 text-center text-white max-sm:aspect-auto max-sm:min-h-52"
    >
      <LogoMark className="mb-3 size-9 text-[#5cc8c3] max-sm:size-7" />
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      <p className="max-w-md text-balance wrap-anywhere text-[#b9c4c8]">{text}</p>
      {children}
    </div>
  );
}
