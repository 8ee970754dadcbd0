'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyInput, Endpoint } from '@/lib/contract/define-endpoint';
import { callEndpoint } from '@/lib/client/call';
import {
  addPasskey,
  confirmTotp,
  getFactors,
  newRecoveryCodes,
  passkeyOptions,
  removePasskey,
  removeTotp,
  startTotp,
} from '@/lib/client/routes/accounts-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

const factorsKey = ['sign-in-factors'];

/** The factors of two-step login. */
export const useFactors = () =>
  useQuery({ queryKey: factorsKey, queryFn: ({ signal }) => callEndpoint(getFactors, {}, { signal }) });

/** A mutation that refreshes the factors. Its passwords, codes and secrets are never cached. */
function useSecretMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    gcTime: 0,
    onSuccess: () => void client.invalidateQueries({ queryKey: factorsKey }),
  });
}

type Body<E extends Endpoint> = BodyInput<E>;

export const useStartTotp = () =>
  useSecretMutation((body: Body<EndpointOf<typeof startTotp>>) => callEndpoint(startTotp, { body }));

export const useConfirmTotp = () =>
  useSecretMutation((body: Body<EndpointOf<typeof confirmTotp>>) => callEndpoint(confirmTotp, { body }));

export const useRemoveTotp = () =>
  useSecretMutation((body: Body<EndpointOf<typeof removeTotp>>) => callEndpoint(removeTotp, { body }));

export const useNewRecoveryCodes = () =>
  useSecretMutation((body: Body<EndpointOf<typeof newRecoveryCodes>>) =>
    callEndpoint(newRecoveryCodes, { body }),
  );

/** The browser created no passkey. `stopped`: the user cancelled. `known`: the device already has a passkey. */
export class NoPasskeyError extends Error {
  constructor(readonly reason: 'stopped' | 'known') {
    super(`no passkey: ${reason}`);
  }
}

interface NewPasskey {
  readonly name: string;
  readonly password: string;
  /** Creates the passkey in this browser. Resolves to null if the user cancelled, to `known` if the device already has one. */
  readonly createPasskey: (options: object) => Promise<object | 'known' | null>;
}

/**
 * Requests options, lets the browser create a passkey, and registers it.
 * @throws NoPasskeyError, ApiCallError
 */
export const useAddPasskey = () =>
  useSecretMutation(async ({ name, password, createPasskey }: NewPasskey) => {
    const newPasskey = await createPasskey(await callEndpoint(passkeyOptions, { body: { password } }));
    if (newPasskey === null || newPasskey === 'known') throw new NoPasskeyError(newPasskey ?? 'stopped');
    return callEndpoint(addPasskey, {
      body: { name, response: newPasskey as Body<EndpointOf<typeof addPasskey>>['response'] },
    });
  });

export const useRemovePasskey = () =>
  useSecretMutation(({ id, password }: { id: string; password: string }) =>
    callEndpoint(removePasskey, { params: { id }, body: { password } }),
  );
