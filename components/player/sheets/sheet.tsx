'use client';

import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { ShortcutRows } from '@/components/ui/shortcut-rows';
import { shortcutRows } from '../input/shortcut-labels';
import { LONG_SEEK_S } from '../input/shortcuts';
import { ShareForm, type ShareTarget } from './share-form';

export type SheetName = 'help' | 'share';

interface SheetProps {
  name: SheetName;
  /** Root element of the player. */
  stage: HTMLElement;
  video: HTMLVideoElement | null;
  share: ShareTarget | undefined;
  onClose: () => void;
}

/** Sheet over the player. It is inside the stage, because full screen hides everything else. */
export default function Sheet({ name, stage, video, share, onClose }: SheetProps) {
  const t = useTranslations('player.sheet');
  if (name === 'help') {
    return (
      <SheetFrame title={t('keyboardShortcuts')} stage={stage} onClose={onClose}>
        <HelpList />
      </SheetFrame>
    );
  }
  if (!share) return null;
  return (
    <SheetFrame title={t('share')} stage={stage} onClose={onClose}>
      <ShareForm target={share} video={video} />
    </SheetFrame>
  );
}

interface SheetFrameProps {
  title: string;
  /** Root element of the player. */
  stage: HTMLElement;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a title and a button that closes it. */
function SheetFrame({ title, stage, onClose, children }: SheetFrameProps) {
  const t = useTranslations('player.sheet');
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={stage}>
        <Dialog.Overlay className="bg-scrim animate-fade fixed inset-0 z-40" />
        <Dialog.Content
          aria-describedby={undefined}
          className={clsx(
            'bg-raised text-ink shadow-pop animate-fade fixed inset-0 z-50 m-auto h-fit max-h-[calc(100dvh-1rem)] w-[min(30rem,calc(100vw-1rem))] overflow-y-auto rounded-xl border p-5 focus:outline-none',
            // The stage is dark in both themes, but a dialog follows the theme.
            document.documentElement.classList.contains('light') && 'page-light',
          )}
        >
          <div className="mb-4 flex items-center justify-between gap-4">
            <Dialog.Title className="text-xl font-semibold tracking-tight">{title}</Dialog.Title>
            <Dialog.Close asChild>
              <Button variant="ghost" size="icon" aria-label={t('close')} className="pointer-coarse:size-11">
                <X aria-hidden="true" />
              </Button>
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Keyboard shortcuts of the player, and mouse and touch actions. */
function HelpList() {
  const t = useTranslations('player.sheet');
  return (
    <>
      <ShortcutRows rows={shortcutRows(useTranslations('player.keys'))} />
      <p className="text-ink-2 mt-4 text-sm">{t('gestures', { seconds: String(LONG_SEEK_S) })}</p>
    </>
  );
}
