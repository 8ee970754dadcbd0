import { useSyncExternalStore, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { LogoMark } from '@/components/ui/mark';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import type { PublicStatus } from '@/lib/core/streams/public-status';
import { publicStatusTextsOf, type PublicStatusTexts } from './public-status-text';
import { Logo, type StageLogo } from './logo';
import type { Phase } from '../engine/phases';

/** Message that fills the player while there is no video. */
export function PlayerMessage({
  title,
  text,
  logo,
  children,
}: {
  title: string;
  text: string;
  logo?: StageLogo;
  children?: ReactNode;
}) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-1 bg-[#0b1013]/85 p-6 text-center text-white">
      {logo === undefined ? (
        <LogoMark className="text-accent mb-3 size-9 max-sm:size-7" />
      ) : (
        logo !== null && <Logo src={logo} alt="" className="mb-3 h-12 max-w-40 object-contain max-sm:h-8" />
      )}
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      <p className="max-w-sm text-balance text-[#b9c4c8]">{text}</p>
      {children}
    </div>
  );
}

/** Texts of a message in the player. */
export interface StageTexts {
  title: string;
  text: string;
}

interface PlayerStateProps {
  phase: Phase;
  /** Whether the viewer paused the video. */
  paused: boolean;
  /** Text shown before the stream starts; undefined: the default text. */
  waiting?: StageTexts | undefined;
  /** State of the stream, from which the text is made while nothing plays; undefined if unknown. */
  publicStatus?: PublicStatus | undefined;
  /** Whether the page is in a frame of another site, so that links open a new tab. */
  isFramed: boolean;
  /** Whether a poster is shown, which the text must not cover. */
  hasPoster: boolean;
  logo: StageLogo;
}

/** State of the player as a message instead of video, or for screen readers only while video plays. Changes are announced. */
export function PlayerState({
  phase,
  paused,
  waiting,
  publicStatus,
  isFramed,
  hasPoster,
  logo,
}: PlayerStateProps) {
  const t = useTranslations('player');
  const now = useSyncExternalStore(subscribeToNothing, getOpenedAt, () => null);
  const format = useTimeFormat();
  const publicStatusTexts = publicStatus && publicStatusTextsOf(t, publicStatus, now, format);
  const { title, text, link } = textsFor(t, phase, waiting, publicStatusTexts);
  return (
    <div role="status" className="pointer-events-none absolute inset-0">
      {phase === 'playing' ? (
        <span className="sr-only">{paused ? t('phase.paused.title') : title}</span>
      ) : phase === 'connecting' && hasPoster ? (
        <span className="absolute bottom-3 left-3 rounded-lg bg-black/70 px-3 py-2 text-sm font-medium text-white">
          {title}
        </span>
      ) : (
        <PlayerMessage title={title} text={text} logo={logo}>
          {link && (
            <a
              href={link.href}
              target={isFramed ? '_blank' : undefined}
              rel="noopener"
              className="text-accent pointer-events-auto mt-3 inline-flex items-center rounded-sm font-medium underline underline-offset-4 focus-visible:outline-white pointer-coarse:mt-0 pointer-coarse:min-h-11"
            >
              {link.label}
            </a>
          )}
        </PlayerMessage>
      )}
    </div>
  );
}

const subscribeToNothing = () => () => undefined;
const openedAt = Date.now();
/**
 * Time at which the page was opened: a time on the same day is shown without its date. It is constant, because a
 * snapshot must not change between renders.
 */
const getOpenedAt = () => openedAt;

function textsFor(
  t: Translator<'player'>,
  phase: Phase,
  waiting: StageTexts | undefined,
  publicStatusTexts: PublicStatusTexts | null | undefined,
): PublicStatusTexts {
  if (phase === 'playing') return { title: t('phase.playing.title'), text: '' };
  // A page that passes `waiting` does not show the texts for viewers. While the player connects, they may be outdated.
  if (publicStatusTexts && !waiting && phase !== 'connecting' && phase !== 'reconnecting')
    return publicStatusTexts;
  if (phase === 'starts-soon' && waiting) return waiting;
  return { title: t(`phase.${phase}.title`), text: t(`phase.${phase}.text`) };
}
