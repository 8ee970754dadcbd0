import { Mark } from '@/components/ui/mark';
import type { Phase } from './phases';

export interface Words {
  title: string;
  text: string;
}

const words: Record<Exclude<Phase, 'playing'>, Words> = {
  connecting: { title: 'Connecting', text: 'The first picture is on its way.' },
  'starts-soon': { title: 'Starts soon', text: 'Not on air yet. Playback begins here by itself.' },
  reconnecting: { title: 'Reconnecting', text: 'The connection was interrupted. Trying again.' },
  offline: {
    title: 'Off air',
    text: 'The stream has stopped. If it comes back, it plays on here by itself.',
  },
  'not-found': { title: 'Nothing to play here', text: 'There is no stream at this address.' },
};

/** What the stage says while there is no picture. Announced when it changes. */
export function PlayerState({ phase, waiting }: { phase: Phase; waiting?: Words | undefined }) {
  const { title, text } = wordsFor(phase, waiting);
  return (
    <div role="status" className="pointer-events-none absolute inset-0">
      {phase === 'playing' ? (
        <span className="sr-only">{title}</span>
      ) : (
        <div className="grid h-full place-content-center justify-items-center gap-1 bg-[#0b1013]/85 p-6 text-center text-white">
          <Mark className="mb-3 size-9 text-[#5cc8c3] max-sm:size-7" />
          <p className="text-lg font-semibold tracking-tight">{title}</p>
          <p className="max-w-sm text-[#b9c4c8]">{text}</p>
        </div>
      )}
    </div>
  );
}

function wordsFor(phase: Phase, waiting: Words | undefined): Words {
  if (phase === 'playing') return { title: 'Playing', text: '' };
  return phase === 'starts-soon' && waiting ? waiting : words[phase];
}
