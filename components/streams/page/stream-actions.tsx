'use client';

import { CircleStop, ExternalLink, MonitorPlay, Share2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { TestPatternButton, useTestPattern } from '@/components/streams/connect/test-pattern';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { RowMenu } from '@/components/ui/table/row-menu';
import { errorMessagesOf } from '@/lib/client/call';
import { useTerminateStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';

interface StreamActionsProps {
  stream: Stream;
  /** URL of the watch page. */
  url: string;
  /** Opens the tab with the links for viewers. */
  onShare: () => void;
}

/** The actions of a stream. On a phone, all of them are in the menu, except to stop a test pattern. */
export function StreamActions({ stream, url, onShare }: StreamActionsProps) {
  const t = useTranslations('streams.streamActions');
  const tTestPattern = useTranslations('streams.testPattern');
  const mayChange = useHasRole('developer');
  const { isRunning, isDisabled, toggle, dialog } = useTestPattern(stream);
  const [isEndDialogOpen, setEndDialogOpen] = useState(false);
  // A test pattern has its own button, which stops it.
  const canEnd = mayChange && stream.isActive && !isRunning;
  return (
    <>
      <Button asChild className="max-sm:hidden">
        <a href={url} target="_blank" rel="noreferrer">
          {t('watchPage')}
          <ExternalLink aria-hidden="true" />
        </a>
      </Button>
      <Button onClick={onShare} className="max-sm:hidden">
        <Share2 aria-hidden="true" />
        {t('share')}
      </Button>
      {canEnd && (
        <Button onClick={() => setEndDialogOpen(true)} className="max-sm:hidden">
          {t('endStream')}
        </Button>
      )}
      {mayChange && isRunning && <TestPatternButton stream={stream} />}
      <RowMenu name={stream.name}>
        <MenuItem icon={ExternalLink} onSelect={() => window.open(url, '_blank', 'noreferrer')}>
          {t('watchPage')}
        </MenuItem>
        <MenuItem icon={Share2} onSelect={onShare}>
          {t('share')}
        </MenuItem>
        {mayChange && (
          <>
            <MenuSeparator />
            <MenuItem icon={MonitorPlay} disabled={isDisabled || isRunning} onSelect={toggle}>
              {tTestPattern('sendTestPattern')}
            </MenuItem>
          </>
        )}
        {canEnd && (
          <MenuItem icon={CircleStop} onSelect={() => setEndDialogOpen(true)}>
            {t('endStream')}
          </MenuItem>
        )}
      </RowMenu>
      {dialog}
      <EndStreamDialog stream={stream} open={isEndDialogOpen} onOpenChange={setEndDialogOpen} />
    </>
  );
}

interface EndStreamDialogProps {
  stream: Stream;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks before the encoder is disconnected. The encoder can connect again, which the service does not prevent. */
function EndStreamDialog({ stream, open, onOpenChange }: EndStreamDialogProps) {
  const t = useTranslations('streams.streamActions');
  const terminate = useTerminateStream(stream.id);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('endTitle', { name: stream.name })}
      confirmLabel={t('endStream')}
      pending={terminate.isPending}
      error={terminate.error ? errorMessagesOf(terminate.error)[0] : undefined}
      onConfirm={() =>
        terminate.mutate(undefined, {
          onSuccess: () => {
            toast.success(t('encoderDisconnected'));
            onOpenChange(false);
          },
        })
      }
    >
      {t('endConsequences')}
    </ConfirmDialog>
  );
}
