'use client';

import { type SyntheticEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { StageLogo } from '@/components/player/stage/logo';
import { PlayerMessage } from '@/components/player/stage/player-state';

const REQUEST_TIMEOUT_MS = 15_000;

interface PasswordFormProps {
  playbackId: string;
  /** Whether an earlier password or token was rejected. */
  wasRejected: boolean;
  logo: StageLogo;
  onToken: (token: string) => void;
  /** Called if the service reports that the content requires no password, for example because it was removed. */
  onPasswordNotNeeded: () => void;
}

type TokenResult =
  | { readonly token: string }
  | { readonly problem: 'wrong' | 'notResponding' | 'notNeeded' }
  /** Too many wrong passwords: the time until the next attempt. */
  | { readonly retryAfterMinutes: number };

/** Asks for the password of a stream or an asset and exchanges it for a token. */
export function PasswordForm({
  playbackId,
  wasRejected,
  logo,
  onToken,
  onPasswordNotNeeded,
}: PasswordFormProps) {
  const t = useTranslations('player.restricted');
  const id = useId();
  const [password, setPassword] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPending || password === '') return;
    setPending(true);
    const result = await requestToken(playbackId, password);
    setPending(false);
    if ('token' in result) onToken(result.token);
    else if ('retryAfterMinutes' in result) setError(t('tooMany', { minutes: result.retryAfterMinutes }));
    else if (result.problem === 'notNeeded') onPasswordNotNeeded();
    else setError(t(result.problem));
  };
  return (
    <PlayerMessage
      title={t('passwordTitle')}
      text={wasRejected ? t('passwordAgain') : t('passwordText')}
      logo={logo}
    >
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        className="mt-4 grid w-72 max-w-full grid-cols-[minmax(0,1fr)_auto] gap-2 text-left"
      >
        <label htmlFor={id} className="sr-only">
          {t('password')}
        </label>
        <input
          id={id}
          type="password"
          autoComplete="off"
          value={password}
          placeholder={t('password')}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error`}
          onChange={({ target }) => {
            setPassword(target.value);
            setError(undefined);
          }}
          className="h-10 min-w-0 rounded-md border border-white/30 bg-white/10 px-3 text-[1rem] text-white placeholder:text-[#b9c4c8] focus-visible:outline-2 focus-visible:outline-white aria-invalid:border-[#ff9d94] pointer-coarse:h-11"
        />
        <button
          type="submit"
          aria-busy={isPending}
          className="bg-accent text-on-accent hover:bg-accent-hover h-10 rounded-md px-4 font-medium focus-visible:outline-white aria-busy:opacity-70 pointer-coarse:h-11"
        >
          {t('watch')}
        </button>
        <p id={`${id}-error`} role="alert" className="col-span-2 text-sm text-[#ff9d94] empty:hidden">
          {error}
        </p>
      </form>
    </PlayerMessage>
  );
}

/** Exchanges the password for a playback token. Never throws. */
async function requestToken(playbackId: string, password: string): Promise<TokenResult> {
  try {
    const response = await fetch(`/api/playback/${playbackId}/password`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (response.ok) return (await response.json()) as { token: string };
    if (response.status === 403) return { problem: 'wrong' };
    // 404: the content is no longer protected by a password, or it was deleted.
    if (response.status === 400 || response.status === 404) return { problem: 'notNeeded' };
    if (response.status !== 429) return { problem: 'notResponding' };
    const seconds = Number(response.headers.get('retry-after')) || 60;
    return { retryAfterMinutes: Math.ceil(seconds / 60) };
  } catch {
    return { problem: 'notResponding' };
  }
}
