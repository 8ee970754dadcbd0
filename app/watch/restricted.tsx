'use client';

import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Proof, withProof } from '@/components/player/pages/embed-options';
import { type ClippedPlayer, Player } from '@/components/player/player';
import { type StageLogo, stageLogoOf } from '@/components/player/stage/logo';
import { PlayerMessage } from '@/components/player/stage/player-state';
import { useHydrated } from '@/components/ui/use-hydrated';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { asksForPassword, missingProofOf, retriesItself, rejectionTextsOf } from './rejection-texts';
import { PasswordForm } from './password-form';

/** Access to non-public content. */
export interface PlaybackRestriction {
  readonly playbackId: string;
  readonly type: PublicPlaybackPolicy['type'];
  /** Proof from the page URL. */
  readonly proof: Proof | null;
  /** Rejection known to the server, such as a site that may not embed the player. */
  readonly rejection?: string;
  /**
   * Whether access depends on the viewer's country, which only the origin knows: it is checked before the viewer is
   * asked for a proof.
   */
  readonly inCountries?: boolean;
}

interface RestrictedPlayerProps extends Omit<ComponentProps<typeof Player>, 'onClip'> {
  restriction: PlaybackRestriction;
  /** @param proof of the viewer's access */
  onClip?: ((player: ClippedPlayer, proof: Proof | null) => void) | undefined;
}

const RETRY_INTERVAL_MS = 10_000;

/** Asks for the missing proof, plays, and explains rejections. */
export default function RestrictedPlayerContent({ restriction, onClip, ...player }: RestrictedPlayerProps) {
  const isReady = useHydrated();
  return isReady ? (
    <RestrictedStage restriction={restriction} onClip={onClip} {...player} />
  ) : (
    <Frame {...player} phase="connecting" />
  );
}

interface PlaybackAccess {
  readonly proof: Proof | null;
  /** Code of the rejection; null if playback is allowed. */
  readonly rejection: string | null;
}

function RestrictedStage({ restriction, onClip, ...player }: RestrictedPlayerProps) {
  const { playbackId } = restriction;
  const [{ proof, rejection }, setAccess] = useState(() => initialAccess(restriction));
  const handleRejection = useCallback(
    (code: string) => {
      deleteToken(playbackId);
      setAccess((before) => ({ ...before, rejection: code }));
    },
    [playbackId],
  );
  const retry = useCallback(() => setAccess((before) => ({ ...before, rejection: null })), []);
  const retriesAutomatically = rejection !== null && retriesItself(rejection);
  useEffect(() => {
    if (!retriesAutomatically) return;
    const timer = setInterval(() => document.hidden || retry(), RETRY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [retriesAutomatically, retry]);
  if (rejection === null) {
    const { src, realTime } = player;
    return (
      <Player
        {...player}
        src={typeof src === 'string' ? withProof(src, proof) : src}
        realTime={realTime && { ...realTime, url: withProof(realTime.url, proof) }}
        onClip={onClip && ((clip) => onClip(clip, proof))}
        onRejected={handleRejection}
      />
    );
  }
  return (
    <Frame {...player} phase="rejected">
      {restriction.type === 'password' && asksForPassword(rejection) ? (
        <PasswordForm
          playbackId={playbackId}
          wasRejected={rejection !== 'password_required'}
          logo={stageLogoOf(player.brand)}
          onToken={(token) => {
            storeToken(playbackId, token);
            setAccess({ proof: { name: 'token', value: token }, rejection: null });
          }}
          onOpen={retry}
        />
      ) : (
        <Rejection
          code={rejection}
          logo={stageLogoOf(player.brand)}
          // Without new proof the same request gets the same response.
          onRetry={proof !== null || retriesItself(rejection) ? retry : undefined}
        />
      )}
    </Frame>
  );
}

function initialAccess({
  playbackId,
  type,
  proof,
  rejection,
  inCountries = false,
}: PlaybackRestriction): PlaybackAccess {
  const storedToken = type === 'password' && proof === null ? readToken(playbackId) : null;
  const access = storedToken === null ? proof : ({ name: 'token', value: storedToken } as const);
  const missingProof = access === null && !inCountries ? missingProofOf(type) : null;
  return { proof: access, rejection: rejection ?? missingProof };
}

interface RejectionProps {
  code: string;
  logo: StageLogo;
  onRetry: (() => void) | undefined;
}

function Rejection({ code, logo, onRetry }: RejectionProps) {
  const t = useTranslations('player.restricted');
  const text = rejectionTextsOf(code);
  return (
    <PlayerMessage title={t(`${text}.title`)} text={t(`${text}.text`)} logo={logo}>
      {onRetry && (
        <button
          type="button"
          onClick={onRetry}
          className="mt-3 h-9 rounded-md border border-white/30 px-4 font-medium hover:bg-white/10 focus-visible:outline-white pointer-coarse:h-11"
        >
          {t('tryAgain')}
        </button>
      )}
    </PlayerMessage>
  );
}

type FrameProps = Pick<RestrictedPlayerProps, 'title' | 'fill' | 'className'> & {
  phase: 'connecting' | 'rejected';
  children?: ReactNode;
};

/** Frame in place of the player. On a phone it is as high as its text. */
function Frame({ title, fill = false, className, phase, children }: FrameProps) {
  const t = useTranslations('player.player');
  return (
    <section
      aria-label={t('label', { title })}
      data-phase={phase}
      className={clsx(
        'dark text-ink relative grid w-full overflow-y-auto bg-[#0b1013]',
        fill ? 'h-dvh' : 'aspect-video max-sm:aspect-auto max-sm:min-h-80',
        className,
      )}
    >
      <div role="status">{children}</div>
    </section>
  );
}

/** Key of a token in the storage of the tab. Tokens are stored so that a reload does not ask for the password again. */
const storageKeyOf = (playbackId: string) => `headwater.token.${playbackId}`;

function readToken(playbackId: string): string | null {
  try {
    return sessionStorage.getItem(storageKeyOf(playbackId));
  } catch {
    return null;
  }
}

function storeToken(playbackId: string, token: string): void {
  try {
    sessionStorage.setItem(storageKeyOf(playbackId), token);
  } catch {
    // Storage is blocked in this frame: a reload asks for the password again.
  }
}

function deleteToken(playbackId: string): void {
  try {
    sessionStorage.removeItem(storageKeyOf(playbackId));
  } catch {
    // Storage is blocked, so no token is kept.
  }
}
