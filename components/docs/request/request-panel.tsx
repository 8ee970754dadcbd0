'use client';

import { useState } from 'react';
import {
  requestPath,
  emptyRequestInput,
  parseBody,
  type Call,
  type RequestInput,
} from '@/components/docs/samples/sample-request';
import { Button } from '@/components/ui/button';
import { FormError } from '@/components/ui/form/field';
import { FilterChips } from '@/components/ui/form/chips';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Panel } from '@/components/ui/panel';
import { errorMessagesOf } from '@/lib/client/call';
import { useSendRequest, type ReceivedResponse } from '@/lib/client/send-request';
import { CodeSamples } from './code-samples';
import { KeyField } from './key-field';
import { useReader } from './reader';
import { RequestFields } from './request-fields';
import { ResponseView } from './response-view';

/** The request of one operation as code, and as a form that sends it to this server. */
export function RequestPanel({ call }: { call: Call }) {
  const { values, change, changePath } = useRequestInput(call);
  return (
    <div className="grid min-w-0 gap-6">
      {call.access !== 'session' && (
        <section aria-label="Samples" className="min-w-0">
          <CodeSamples call={call} values={values} />
        </section>
      )}
      <TryPanel call={call} values={values} onChange={change} onPathChange={changePath} />
    </div>
  );
}

/** Input for this operation, with ids that were entered for other operations on the same object. */
function useRequestInput(call: Call) {
  const { ids, setId } = useReader();
  const [ownValues, setOwnValues] = useState(() => emptyRequestInput(call));
  const path = Object.fromEntries(
    call.pathParameters.map(({ name }) => [name, ids[pathThrough(call.path, name)] ?? '']),
  );
  return {
    values: { ...ownValues, path },
    change: (changes: Partial<RequestInput>) =>
      setOwnValues((previousValues) => ({ ...previousValues, ...changes })),
    changePath: (name: string, value: string) => setId(pathThrough(call.path, name), value.trim()),
  };
}

/** `/api/stream/{id}` for the id in `/api/stream/{id}/sessions`: operations of one object share its id. */
function pathThrough(path: string, name: string): string {
  const placeholder = `{${name}}`;
  return path.slice(0, path.indexOf(placeholder) + placeholder.length);
}

/** Whether an operation ends or replaces something in use. */
const isDestructive = ({ method, id }: Call) => method === 'DELETE' || /^(delete|end|roll|rotate)/.test(id);

interface TryPanelProps {
  call: Call;
  values: RequestInput;
  onChange: (change: Partial<RequestInput>) => void;
  onPathChange: (name: string, value: string) => void;
}

function TryPanel({ call, values, onChange, onPathChange }: TryPanelProps) {
  const reader = useReader();
  const [usesLogin, setUsesLogin] = useState(false);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const send = useSendRequest();
  const usesKey = call.access === 'key' && reader.key !== '' && !(usesLogin && reader.signedIn);
  const pathAndQuery = requestPath(call, values);
  const submit = () => {
    setDialogOpen(false);
    send.mutate(
      {
        method: call.method,
        pathAndQuery,
        apiKey: usesKey ? reader.key : null,
        idempotencyKey: values.idempotencyKey,
        body: call.bodyExample === null ? null : values.body,
      },
      { onSuccess: (response) => reuseCreatedId(call, response, reader.setId) },
    );
  };
  return (
    <Panel title="Try it" description={<TryDescription call={call} usesKey={usesKey} />}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isDestructive(call)) setDialogOpen(true);
          else submit();
        }}
      >
        {call.access === 'key' && <KeyField />}
        {call.access === 'key' && reader.signedIn && reader.key !== '' && (
          <FilterChips
            label="Authorize with"
            value={usesLogin ? 'login' : 'key'}
            options={[
              { value: 'key', label: 'API key' },
              { value: 'login', label: 'Your login' },
            ]}
            onChange={(value) => setUsesLogin(value === 'login')}
          />
        )}
        <RequestFields call={call} values={values} onChange={onChange} onPathChange={onPathChange} />
        <Button type="submit" variant="primary" pending={send.isPending} className="w-fit">
          Send request
        </Button>
      </form>
      <div className="mt-4 empty:hidden">
        {send.isError && <FormError>{errorMessagesOf(send.error).join(' ')}</FormError>}
        {send.data && <ResponseView response={send.data} advice={adviceFor(send.data, usesKey)} />}
      </div>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setDialogOpen}
        title={`${call.title}?`}
        confirmLabel="Send request"
        pending={send.isPending}
        onConfirm={submit}
      >
        {`${call.method} ${pathAndQuery} changes your data for real.`}
      </ConfirmDialog>
    </Panel>
  );
}

/** Explains which credentials the request uses. */
function TryDescription({ call: { access }, usesKey }: { call: Call; usesKey: boolean }) {
  const { signedIn } = useReader();
  if (access === 'public') return 'No API key needed.';
  if (usesKey) return 'Requests use your API key and act on real data.';
  if (signedIn) return 'Requests use your login and act on real data.';
  return access === 'session' ? 'Log in to send this request.' : 'Enter an API key, or log in.';
}

/** Stores the id of a created object, which fills the path of other operations on it. */
function reuseCreatedId(
  { method, path }: Call,
  { status, body }: ReceivedResponse,
  setId: (path: string, id: string) => void,
) {
  const resource = status === 201 && method === 'POST' ? parseBody(body)?.value : null;
  if (typeof resource !== 'object' || resource === null || !('id' in resource)) return;
  if (typeof resource.id === 'string') setId(`${path}/{id}`, resource.id);
}

/** Advice for a rejection caused by this page, not by the request. */
function adviceFor({ status, body }: ReceivedResponse, usesKey: boolean): string | null {
  if (!usesKey || status !== 403 || !body.includes('CORS access from origin')) return null;
  return 'Backend keys don’t work in a browser. Run the sample instead, use your login, or create a key that allows this origin.';
}
