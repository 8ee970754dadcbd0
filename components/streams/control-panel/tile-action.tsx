'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { inputKeys } from '@/components/palette/page-keys';
import { useSaveFailed } from '@/components/streams/settings/use-save-failed';
import { Button } from '@/components/ui/button';
import { useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { hasControlPanel, type PanelTile } from '@/lib/core/streams/control-panel';

interface TileActionProps {
  stream: Stream;
  tile: PanelTile;
  /** Opens the confirmation to put the input on air. */
  onAsk: () => void;
}

/** Button that asks to put an input on air, or that turns on an input that is off. */
export function TileAction({ stream, tile: { input, state, selectable }, onAsk }: TileActionProps) {
  const t = useTranslations('streams.controlPanel');
  const update = useUpdateStream(stream.id);
  const saveFailed = useSaveFailed();
  const buttonProps = { size: 'sm', className: 'mt-auto w-full px-1 max-sm:h-11' } as const;
  if (state === 'off' && input === 'standby') {
    return (
      <Button asChild {...buttonProps}>
        <Link href={`/streams/${stream.id}?tab=settings#encoder-loss`} aria-label={t('addStandbyLabel')}>
          <span className="max-sm:hidden">{t('addStandbyLabel')}</span>
          <span className="sm:hidden">{t('addStandby')}</span>
        </Link>
      </Button>
    );
  }
  if (state === 'off') {
    return (
      <Button
        {...buttonProps}
        aria-label={t('turnOnSlateLabel')}
        onClick={() => update.mutate({ slate: true }, { onError: saveFailed })}
      >
        {t('turnOnSlate')}
      </Button>
    );
  }
  // With only a primary encoder, there is nothing to switch to.
  if (!hasControlPanel(stream)) return null;
  return (
    <Button
      {...buttonProps}
      disabled={!selectable}
      onClick={onAsk}
      aria-keyshortcuts={inputKeys[input]}
      aria-label={t(input === 'slate' ? 'showSlateLabel' : 'switchLabel', { input: t(`input.${input}`) })}
    >
      {t(input === 'slate' ? 'showSlate' : 'switch')}
    </Button>
  );
}
