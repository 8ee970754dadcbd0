'use client';

import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { ProgressBar } from '@/components/ui/progress-bar';
import type { UploadEntry } from '@/lib/client/uploads/upload-list';
import { isFinalUploadPhase, uploadTotals } from '@/lib/core/assets/upload-state';
import { uploadsHeadline, uploadsProgress } from './upload-text';

interface UploadDockFrameProps {
  uploads: readonly UploadEntry[];
  /** Rows, one per upload. */
  children: ReactNode;
  /** Called when the user closes the list, which is possible once all uploads have finished. */
  onClose: () => void;
}

/** Collapsible panel at the bottom of the window that lists uploads and their total progress. */
export function UploadDockFrame({ uploads, children, onClose }: UploadDockFrameProps) {
  const t = useTranslations('upload.uploadDock');
  const tUploadText = useTranslations('upload.uploadText');
  const [isOpen, setIsOpen] = useState(true);
  const dockRef = useRef<HTMLElement>(null);
  const listId = useId();
  useDockHeightVariable(dockRef);
  const headline = uploadsHeadline(tUploadText, uploads);
  const { progress, uploadingCount } = uploadTotals(uploads);
  const allFinished = uploads.every(({ phase }) => isFinalUploadPhase(phase));
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <section
      ref={dockRef}
      aria-label={t('uploads')}
      className="bg-raised shadow-pop fixed inset-x-0 bottom-0 z-30 overflow-hidden rounded-t-xl border sm:inset-x-auto sm:right-5 sm:bottom-5 sm:w-[25rem] sm:rounded-xl"
    >
      <header className="flex min-h-12 items-center gap-2 py-1.5 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <h2 role="status" className="truncate font-medium">
            {headline}
          </h2>
          <p className="text-ink-2 text-xs tabular-nums empty:hidden">
            {uploadsProgress(tUploadText, uploads)}
          </p>
        </div>
        <Button
          variant="ghost"
          size="icon"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-label={isOpen ? t('hideList') : t('showList')}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Chevron aria-hidden="true" />
        </Button>
        {allFinished && (
          <Button variant="ghost" size="icon" aria-label={t('closeList')} onClick={onClose}>
            <X aria-hidden="true" />
          </Button>
        )}
      </header>
      {!isOpen && uploadingCount > 0 && (
        <ProgressBar label={t('allUploads')} value={progress} className="h-0.5 rounded-none" />
      )}
      <ul id={listId} hidden={!isOpen} className="max-h-[min(24rem,50dvh)] divide-y overflow-y-auto border-t">
        {children}
      </ul>
    </section>
  );
}

/** Sets the CSS variable `--dock-room` to the height that the dock covers, so that content can scroll above it. */
function useDockHeightVariable(dockRef: React.RefObject<HTMLElement | null>) {
  useEffect(() => {
    const { current: element } = dockRef;
    if (!element) return;
    const { style } = document.documentElement;
    // 20 px: gap between the dock and the bottom of the window (`sm:bottom-5`).
    const observer = new ResizeObserver(() =>
      style.setProperty('--dock-room', `${element.offsetHeight + 20}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--dock-room');
    };
  }, [dockRef]);
}
