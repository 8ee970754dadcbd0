import type { Stream } from '@/lib/generated/prisma/client';
import type { Secrets } from '@/lib/infra/secrets';

type Owner = Pick<Stream, 'id' | 'teamId'>;

const secretContextOf = ({ id, teamId }: Owner) => ({ kind: 'srt-passphrase', id, teamId }) as const;

/** The column of a requested SRT passphrase; empty if the body has none. */
export function srtPassphraseColumns(
  { secrets }: { readonly secrets: Secrets },
  stream: Owner,
  passphrase: string | null | undefined,
): { readonly srtPassphraseSealed?: Buffer<ArrayBuffer> | null } {
  if (passphrase === undefined) return {};
  return {
    srtPassphraseSealed: passphrase === null ? null : secrets.seal(secretContextOf(stream), passphrase),
  };
}

/** The passphrase for SRT publishes; empty if there is none. */
export function srtPassphraseOf(
  stream: Owner & Pick<Stream, 'srtPassphraseSealed'>,
  secrets: Secrets,
): { readonly srtPassphrase?: string } {
  const sealedPassphrase = stream.srtPassphraseSealed;
  return sealedPassphrase === null
    ? {}
    : { srtPassphrase: secrets.open(secretContextOf(stream), sealedPassphrase) };
}
