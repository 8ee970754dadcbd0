'use client';

import { MonitorPlay, Square } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useSetTestPattern, useTestPatternState } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

const TestPatternDialog = lazy(() => import('./test-pattern-dialog'));

type PatternStream = Pick<Stream, 'id' | 'name' | 'suspended' | 'isActive' | 'multistream'>;

/**
 * State of the test pattern of a stream, with functions that start and stop it. `dialog` must be rendered: if the stream
 * has targets and no pattern runs, `toggle` opens it, and it asks whether the pattern is sent to them or is a preview.
 */
export function useTestPattern({ id, suspended, isActive, multistream: { targets } }: PatternStream) {
  const t = useTranslations('streams.testPattern');
  const { data, isPending } = useTestPatternState(id);
  const { mutate, isPending: isChanging } = useSetTestPattern(id);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const isRunning = data?.running ?? false;
  const setPattern = (newState: { running: boolean; preview?: boolean }) =>
    mutate(newState, {
      onError: (error) => toast.error(t('notChanged'), { description: error.message }),
      onSuccess: () => setDialogOpen(false),
    });
  return {
    isRunning,
    isPending: isChanging || isPending,
    /** Whether another encoder than the test pattern publishes: then the server rejects a test pattern. */
    isOccupied: isActive && !isRunning,
    isDisabled: suspended || (isActive && !isRunning),
    /** Starts the pattern so that only the team sees it. */
    startPreview: () => setPattern({ running: true, preview: true }),
    toggle: () => {
      if (isRunning) setPattern({ running: false });
      else if (targets.length > 0) setDialogOpen(true);
      else setPattern({ running: true });
    },
    dialog: (
      <Suspense fallback={null}>
        {isDialogOpen && (
          <TestPatternDialog
            targets={targets}
            pending={isChanging}
            onClose={() => setDialogOpen(false)}
            onSend={(preview) => setPattern({ running: true, preview })}
          />
        )}
      </Suspense>
    ),
  };
}

/** Starts and stops the built-in test pattern. The state comes from the server and is the same in every browser. */
export function TestPatternButton({ stream }: { stream: PatternStream }) {
  const t = useTranslations('streams.testPattern');
  const { isRunning, isPending, isOccupied, isDisabled, toggle, dialog } = useTestPattern(stream);
  const Icon = isRunning ? Square : MonitorPlay;
  return (
    <>
      <Button
        pending={isPending}
        disabled={isDisabled}
        title={isOccupied ? t('occupied') : undefined}
        onClick={toggle}
        // The width fits both labels, so that the next button does not move.
        className="min-w-42 max-sm:px-3 sm:min-w-46"
      >
        <Icon aria-hidden="true" />
        {isRunning ? t('stopTestPattern') : t('sendTestPattern')}
      </Button>
      {dialog}
    </>
  );
}

/** Starts the test pattern as a preview, which only the team sees: it reaches no target, recording or viewer. */
export function PreviewButton({ stream }: { stream: PatternStream }) {
  const t = useTranslations('streams.testPattern');
  const { isRunning, isPending, isDisabled, startPreview } = useTestPattern(stream);
  return (
    <Button pending={isPending} disabled={isDisabled || isRunning} onClick={startPreview}>
      <MonitorPlay aria-hidden="true" />
      {t('previewTestPattern')}
    </Button>
  );
}
