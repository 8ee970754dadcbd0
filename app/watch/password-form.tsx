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
  /** Called when the content no longer needs a password. */
  onOpen: () => void;
}

type Reply =
  | { readonly token: string }
  | { readonly problem: 'wrong' | 'notResponding' | 'open' }
  | { readonly minutes: number };

/** Asks for the password of a stream or an asset and exchanges it for a token. */
export function PasswordForm({ playbackId, wasRejected, logo, onToken, onOpen }: PasswordFormProps) {
  const t = useTranslations('player.restricted');
  const id = useId();
  const [password, setPassword] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (pending || password === '') return;
    setPending(true);
    const reply = await enterPassword(playbackId, password);
    setPending(false);
    if ('token' in reply) onToken(reply.token);
    else if ('minutes' in reply) setError(t('tooMany', { minutes: reply.minutes }));
    else if (reply.problem === 'open') onOpen();
    else setError(t(reply.problem));
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
          aria-busy={pending}
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

/** Requests a token for the password. Never throws. */
async function enterPassword(playbackId: string, password: string): Promise<Reply> {
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
    if (response.status === 400 || response.status === 404) return { problem: 'open' };
    if (response.status !== 429) return { problem: 'notResponding' };
    const seconds = Number(response.headers.get('retry-after')) || 60;
    return { minutes: Math.ceil(seconds / 60) };
  } catch {
    return { problem: 'notResponding' };
  }
}
