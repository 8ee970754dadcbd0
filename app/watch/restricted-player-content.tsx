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
import { canPasswordHelp, isTemporary, missingProofOf, rejectionTextKeyOf } from './rejection-texts';
import { PasswordForm } from './password-form';

/** What a viewer needs to play content that is not public. */
export interface PlaybackRestriction {
  readonly playbackId: string;
  readonly type: PublicPlaybackPolicy['type'];
  /** Proof from the page URL. */
  readonly proof: Proof | null;
  /** Code of a rejection that is known when the page is rendered, such as a site that may not embed the player. */
  readonly rejection?: string;
  /**
   * Whether access depends on the viewer's country. Only a playlist request tells whether the country is allowed, so one
   * is sent before the viewer is asked for a proof.
   */
  readonly hasCountryLimit?: boolean;
}

interface RestrictedPlayerProps extends Omit<ComponentProps<typeof Player>, 'onClip'> {
  restriction: PlaybackRestriction;
  /** @param proof of the viewer's access */
  onClip?: ((player: ClippedPlayer, proof: Proof | null) => void) | undefined;
}

const RETRY_INTERVAL_MS = 10_000;

/** Asks for the missing proof, plays, and explains rejections. */
export default function RestrictedPlayerContent({
  restriction,
  onClip,
  ...playerProps
}: RestrictedPlayerProps) {
  // The server does not know the token that is stored in the browser.
  const isHydrated = useHydrated();
  return isHydrated ? (
    <RestrictedStage restriction={restriction} onClip={onClip} {...playerProps} />
  ) : (
    <Frame {...playerProps} phase="connecting" />
  );
}

interface PlaybackAccess {
  /** Proof that is sent with playback requests; null without one. */
  readonly proof: Proof | null;
  /** Code of the rejection; null if playback is allowed. */
  readonly rejection: string | null;
}

function RestrictedStage({ restriction, onClip, ...playerProps }: RestrictedPlayerProps) {
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
  const retriesAutomatically = rejection !== null && isTemporary(rejection);
  useEffect(() => {
    if (!retriesAutomatically) return;
    const timer = setInterval(() => document.hidden || retry(), RETRY_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [retriesAutomatically, retry]);
  if (rejection === null) {
    const { src, realTime } = playerProps;
    return (
      <Player
        {...playerProps}
        src={typeof src === 'string' ? withProof(src, proof) : src}
        realTime={realTime && { ...realTime, url: withProof(realTime.url, proof) }}
        onClip={onClip && ((clippedPlayer) => onClip(clippedPlayer, proof))}
        onRejected={handleRejection}
      />
    );
  }
  return (
    <Frame {...playerProps} phase="rejected">
      {restriction.type === 'password' && canPasswordHelp(rejection) ? (
        <PasswordForm
          playbackId={playbackId}
          wasRejected={rejection !== 'password_required'}
          logo={stageLogoOf(playerProps.brand)}
          onToken={(token) => {
            storeToken(playbackId, token);
            setAccess({ proof: { name: 'token', value: token }, rejection: null });
          }}
          onPasswordNotNeeded={retry}
        />
      ) : (
        <Rejection
          code={rejection}
          logo={stageLogoOf(playerProps.brand)}
          // A viewer without a proof would only be rejected again.
          onRetry={proof !== null || isTemporary(rejection) ? retry : undefined}
        />
      )}
    </Frame>
  );
}

/** Access with the proof of the page URL or the stored token. */
function initialAccess({
  playbackId,
  type,
  proof: urlProof,
  rejection,
  hasCountryLimit = false,
}: PlaybackRestriction): PlaybackAccess {
  const storedToken = type === 'password' && urlProof === null ? readToken(playbackId) : null;
  const proof = storedToken === null ? urlProof : ({ name: 'token', value: storedToken } as const);
  const missingProof = proof === null && !hasCountryLimit ? missingProofOf(type) : null;
  return { proof, rejection: rejection ?? missingProof };
}

interface RejectionProps {
  code: string;
  logo: StageLogo;
  onRetry: (() => void) | undefined;
}

function Rejection({ code, logo, onRetry }: RejectionProps) {
  const t = useTranslations('player.restricted');
  const textKey = rejectionTextKeyOf(code);
  return (
    <PlayerMessage title={t(`${textKey}.title`)} text={t(`${textKey}.text`)} logo={logo}>
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
