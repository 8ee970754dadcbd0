'use client';

import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { toast } from 'sonner';
import type { Translator } from '@/components/i18n/messages';
import { inputKeys } from '@/components/palette/page-keys';
import { usePageKeys } from '@/components/palette/use-page-keys';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { errorMessagesOf } from '@/lib/client/call';
import { useSwitchInput } from '@/lib/client/queries/stream-queries';
import { useStreamHealth } from '@/lib/client/queries/stream-watch-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import {
  createPanelTiles,
  hasControlPanel,
  isReportStale,
  type PanelTile,
} from '@/lib/core/streams/control-panel';
import type { ProgramInput } from '@/lib/core/streams/program-state';
import { formatFigures, describeState } from '@/components/streams/control-panel/control-panel-text';
import { TileAction } from './tile-action';

const REFRESH_INTERVAL_MS = 5_000;

/** The inputs of a live stream side by side, with buttons that put an input on air. */
export function ControlPanel({ stream, className }: { stream: Stream; className?: string }) {
  if (!stream.isActive) return null;
  return <PanelContent stream={stream} {...(className ? { className } : {})} />;
}

function PanelContent({ stream, className }: { stream: Stream; className?: string }) {
  const t = useTranslations('streams.controlPanel');
  const language = useLocale();
  const { latest, to } = useStreamHealth(stream.id, REFRESH_INTERVAL_MS).data ?? {};
  const [requestedInput, setRequestedInput] = useState<ProgramInput | null>(null);
  // Time of the server, because the clock of the browser may be wrong. While it is unknown, no report counts as
  // outdated.
  const now = to ?? 0;
  const tiles = createPanelTiles(stream, now);
  const requestedTile = tiles.find(({ input, selectable }) => input === requestedInput && selectable);
  const mayChange = useHasRole('developer');
  usePageKeys((key) => {
    const tile = tiles.find(({ input }) => inputKeys[input] === key);
    if (mayChange && tile?.selectable) setRequestedInput(tile.input);
  });
  return (
    <section aria-label={t('title')} className={cn('min-w-0', className)}>
      <h2 className="sr-only">{t('title')}</h2>
      <ul className="grid grid-cols-3 gap-2 sm:gap-3">
        {tiles.map((tile) => (
          <Tile
            key={tile.input}
            stream={stream}
            tile={tile}
            figures={formatFigures(t, language, tile, stream, latest ?? null)}
            onAsk={() => setRequestedInput(tile.input)}
          />
        ))}
      </ul>
      {requestedTile && (
        <Confirm
          key={requestedTile.input}
          id={stream.id}
          input={requestedTile.input}
          onDone={() => setRequestedInput(null)}
        />
      )}
      <p className="text-ink-2 mt-2 text-sm">
        {hasControlPanel(stream) && (
          <>
            <OnAir stream={stream} now={now} />
            <br />
          </>
        )}
        {describeEncoderLoss(t, stream)}
      </p>
    </section>
  );
}

/** Shows the input on air with time and reason, or that the input is unknown. */
function OnAir({ stream, now }: { stream: Stream; now: number }) {
  const t = useTranslations('streams.controlPanel');
  const format = useTimeFormat();
  const { program } = stream;
  const announcement = () => {
    if (!program) return t('notReported');
    if (isReportStale(stream, now)) {
      return program.reportedAt === null
        ? t('notReported')
        : t('tooOld', { time: format.timeWithSeconds(program.reportedAt) });
    }
    if (program.input === null) return t('nothingOnAir');
    const input = t(`input.${program.input}`);
    const time = format.timeWithSeconds(program.since);
    if (program.byHand) return t('onAirManually', { input, time });
    return t(program.input === 'primary' ? 'onAirSince' : 'onAirAutomatically', { input, time });
  };
  return <span role="status">{announcement()}</span>;
}

interface TileProps {
  stream: Stream;
  tile: PanelTile;
  figures: readonly string[];
  /** Opens the confirmation to put the input on air. */
  onAsk: () => void;
}

const borderClasses: Partial<Record<PanelTile['state'], string>> = {
  'on-air': 'border-live',
  silent: 'border-warn-line',
};
const textClasses: Partial<Record<PanelTile['state'], string>> = {
  'on-air': 'text-live-ink',
  ready: 'text-accent-ink',
  silent: 'text-warn-ink',
};

/** Facts of one input. There is no picture, because an input that is off air has none. */
function Tile({ stream, tile, figures, onAsk }: TileProps) {
  const t = useTranslations('streams.controlPanel');
  const mayChange = useHasRole('developer');
  const { input, state } = tile;
  const borderClass = borderClasses[state];
  const textClass = textClasses[state];
  return (
    <li
      aria-label={t(`input.${input}`)}
      className={cn('bg-surface flex min-w-0 flex-col rounded-lg border-2 p-2', borderClass ?? 'border-line')}
    >
      <p className="flex items-baseline justify-between gap-1 font-medium">
        <span className="min-w-0 truncate">{t(`input.${input}`)}</span>
        {mayChange && state !== 'off' && (
          <kbd
            aria-hidden="true"
            className="text-ink-3 rounded-sm border px-1 font-mono text-xs max-sm:hidden"
          >
            {inputKeys[input]}
          </kbd>
        )}
      </p>
      <p className={cn('text-sm wrap-anywhere', textClass ?? 'text-ink-2')}>{describeState(t, tile)}</p>
      {/* Facts in a row, separated by dots. The dot before the first fact of a line is outside of the box. */}
      <div className="mb-2 min-h-4 overflow-hidden max-sm:min-h-12">
        <ul className="text-ink-2 flex flex-wrap text-xs max-sm:flex-col sm:-ml-3">
          {figures.map((figure) => (
            <li
              key={figure}
              className="sm:relative sm:pl-3 sm:before:absolute sm:before:left-0 sm:before:w-3 sm:before:text-center sm:before:content-['·']"
            >
              {figure}
            </li>
          ))}
        </ul>
      </div>
      {mayChange && <TileAction stream={stream} tile={tile} onAsk={onAsk} />}
    </li>
  );
}

/** Confirmation inside the panel, so that the video stays visible. */
function Confirm({ id, input, onDone }: { id: string; input: ProgramInput; onDone: () => void }) {
  const t = useTranslations('streams.controlPanel');
  const switchInput = useSwitchInput(id);
  const confirm = () =>
    switchInput.mutate(input, {
      onSuccess: onDone,
      onError: (error) => {
        toast.error(t('notSwitched'), { description: errorMessagesOf(error)[0] });
        onDone();
      },
    });
  return (
    <div
      role="group"
      aria-label={t(`confirm.${input}`)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onDone();
      }}
      className="border-accent bg-accent-soft mt-3 flex flex-wrap items-center justify-between gap-3 rounded-lg border p-3"
    >
      <p className="min-w-0 flex-1 basis-48">{t(`confirm.${input}`)}</p>
      <div className="flex gap-2">
        {/* The focus moves to the confirmation. */}
        <Button
          variant="primary"
          autoFocus
          pending={switchInput.isPending}
          onClick={confirm}
          className="max-sm:h-11"
        >
          {t(input === 'slate' ? 'showSlateNow' : 'switchNow')}
        </Button>
        <Button onClick={onDone} className="max-sm:h-11">
          {t('cancel')}
        </Button>
      </div>
    </div>
  );
}

/** What happens automatically when the encoder on air is lost. */
function describeEncoderLoss(
  t: Translator<'streams.controlPanel'>,
  { backup, slate, fallbackAfterMs }: Stream,
): string {
  const seconds = fallbackAfterMs / 1_000;
  if (!backup && !slate) return t('automatic.none');
  if (backup && slate) return t('automatic.both', { seconds });
  return t(backup ? 'automatic.standby' : 'automatic.slate', { seconds });
}
