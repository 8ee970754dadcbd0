'use client';

import { type ReactNode, useState } from 'react';
import { Pencil } from 'lucide-react';
import { toast } from 'sonner';
import { useLocale, useTranslations } from 'use-intl';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Panel } from '@/components/ui/panel';
import { StatusPill } from '@/components/ui/status-pill';
import { useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { describeRendition, renditionState } from './rendition-text';
import { RenditionsForm } from './renditions-form';

interface RenditionsPanelProps {
  stream: Pick<Stream, 'profiles' | 'isActive' | 'issues'>;
  /** Button that edits the renditions. */
  action: ReactNode;
}

/** Renditions of a stream with their states. */
function RenditionsPanel({ stream, action }: RenditionsPanelProps) {
  const t = useTranslations('streams.renditionsPanel');
  const tRenditionTexts = useTranslations('streams.renditionTexts');
  const language = useLocale();
  const { profiles } = stream;
  return (
    <Panel title={t('renditions')} action={action} className="max-w-3xl">
      {profiles.length === 0 ? (
        <p className="text-ink-2">{t('sourceOnly')}</p>
      ) : (
        <ul className="-my-3 divide-y">
          {profiles.map((profile) => {
            const state = renditionState(tRenditionTexts, profile.name, stream);
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
                  {describeRendition(tRenditionTexts, profile, language)}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

export function StreamRenditionsPanel({ stream }: { stream: Stream }) {
  const t = useTranslations('streams.renditionsPanel');
  const [open, setOpen] = useState(false);
  const update = useUpdateStream(stream.id);
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    update.reset();
  };
  return (
    <RenditionsPanel
      stream={stream}
      action={
        // Stream objects of sessions cannot be changed.
        stream.parentId === undefined && (
          <IfPermitted>
            <Dialog
              wide
              open={open}
              onOpenChange={changeOpen}
              title={t('renditions')}
              description={t('whatTheyAre')}
              trigger={
                <Button size="sm">
                  <Pencil aria-hidden="true" />
                  {t.rich('edit', { hidden: (text) => <span className="sr-only">{text}</span> })}
                </Button>
              }
            >
              <RenditionsForm
                profiles={stream.profiles}
                targetRenditions={stream.multistream.targets.map(({ profile }) => profile)}
                mutation={update}
                onSubmit={(profiles) =>
                  update.mutate(
                    { profiles },
                    {
                      onSuccess: () => {
                        toast.success(t('renditionsSaved'));
                        changeOpen(false);
                      },
                    },
                  )
                }
              />
            </Dialog>
          </IfPermitted>
        )
      }
    />
  );
}
