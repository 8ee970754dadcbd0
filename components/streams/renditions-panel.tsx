import type { ReactNode } from 'react';
import { Panel } from '@/components/ui/panel';
import { StatusPill } from '@/components/ui/status-pill';
import type { Stream } from '@/lib/contract/stream';
import { renditionInWords, renditionState } from './rendition-words';

interface RenditionsPanelProps {
  stream: Pick<Stream, 'profiles' | 'isActive' | 'issues'>;
  /** Changes them. */
  action: ReactNode;
}

/** What the source is transcoded to, and how that goes while the stream is on air. */
export function RenditionsPanel({ stream, action }: RenditionsPanelProps) {
  const { profiles } = stream;
  return (
    <Panel title="Renditions" action={action}>
      {profiles.length === 0 ? (
        <p className="text-ink-2">Source only. Add smaller renditions for viewers with slow connections.</p>
      ) : (
        <ul className="-my-3 divide-y">
          {profiles.map((profile) => {
            const state = renditionState(profile.name, stream);
            return (
              <li
                key={profile.name}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-3"
              >
                <span className="font-medium wrap-anywhere">{profile.name}</span>
                <span aria-live="polite">
                  {state && <StatusPill tone={state.tone}>{state.label}</StatusPill>}
                </span>
                <span className="text-ink-2 col-span-2 text-sm tabular-nums">
                  {renditionInWords(profile)}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
