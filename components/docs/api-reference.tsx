'use client';

import 'swagger-ui-dist/swagger-ui.css';
import './api-reference.css';
import { useTheme } from 'next-themes';
import { useEffect, useRef, useState } from 'react';
import { LoadFailed } from '@/components/ui/empty-state';
import { Skeleton } from '@/components/ui/skeleton';

type OpenApiDocument = Readonly<Record<string, unknown>>;

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The OpenAPI document as the page shows it: calls go to where the page came from, and a browser session is
 * nothing to type in, so only keys are asked for.
 * @param origin of the page
 */
export function documentFor(document: OpenApiDocument, origin: string): OpenApiDocument {
  const components = objectOf(document['components']);
  const { apiKey } = objectOf(components['securitySchemes']);
  return {
    ...document,
    servers: [{ url: origin }],
    components: { ...components, securitySchemes: apiKey === undefined ? {} : { apiKey } },
    paths: mapValues(objectOf(document['paths']), (path) =>
      mapValues(objectOf(path), (operation, name) =>
        methods.includes(name) ? withoutSession(withoutKeys(objectOf(operation))) : operation,
      ),
    ),
  };
}

function withoutSession(operation: OpenApiDocument): OpenApiDocument {
  const { security } = operation;
  if (!Array.isArray(security)) return operation;
  return { ...operation, security: security.filter((scheme) => !('session' in objectOf(scheme))) };
}

/** The form starts with the examples: an Idempotency-Key in it would give every call the answer of the first. */
function withoutKeys(operation: OpenApiDocument): OpenApiDocument {
  const { parameters } = operation;
  if (!Array.isArray(parameters)) return operation;
  return { ...operation, parameters: parameters.map((each) => withoutExample(objectOf(each))) };
}

function withoutExample(parameter: OpenApiDocument): OpenApiDocument {
  if (parameter['in'] !== 'header') return parameter;
  const schema = Object.entries(objectOf(parameter['schema'])).filter(([name]) => name !== 'example');
  return { ...parameter, schema: Object.fromEntries(schema) };
}

function objectOf(value: unknown): OpenApiDocument {
  return typeof value === 'object' && value !== null ? (value as OpenApiDocument) : {};
}

function mapValues(object: OpenApiDocument, change: (value: unknown, name: string) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

export function ReferenceSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" className="grid gap-2">
      <Skeleton className="mb-4 h-10 w-full rounded-md" />
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={index} className="h-11 w-full rounded-md" />
      ))}
    </div>
  );
}

/** Every operation of an OpenAPI document, with forms to call it. Nothing is asked of any other host. */
export function ApiReference({ document }: { document: OpenApiDocument }) {
  const place = useRef<HTMLDivElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<'loading' | 'shown' | Error>('loading');
  useDarkMode();
  useEffect(() => {
    // A new element each time: the library cannot be asked to leave one.
    const domNode = window.document.createElement('div');
    place.current?.append(domNode);
    let left = false;
    show(domNode, document, () => left)
      .then(() => left || setState('shown'))
      .catch((error: unknown) => left || setState(error instanceof Error ? error : new Error(String(error))));
    return () => {
      left = true;
      domNode.remove();
    };
  }, [document, attempt]);
  const retry = () => {
    setState('loading');
    setAttempt(attempt + 1);
  };
  return (
    <>
      {state === 'loading' && <ReferenceSkeleton />}
      {state instanceof Error && <LoadFailed what="The API reference" error={state} onRetry={retry} />}
      <div ref={place} className="api-reference" />
    </>
  );
}

/** The library is large and needed on this page only: it comes when the page is open. */
async function show(domNode: HTMLElement, document: OpenApiDocument, left: () => boolean): Promise<void> {
  const { default: SwaggerUI } = await import('swagger-ui-dist/swagger-ui-es-bundle');
  if (left()) return;
  nameOperations(domNode);
  await new Promise<void>((resolve) => {
    SwaggerUI({
      domNode,
      spec: documentFor(document, window.location.origin),
      validatorUrl: null,
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
      filter: true,
      queryConfigEnabled: false,
      tryItOutEnabled: true,
      onComplete: resolve,
    });
  });
}

/**
 * The page has a main landmark already. The one of the library has a tabindex, so that only another role takes it away;
 * it is rendered some time after the library says that it is complete.
 */
function nameOperations(domNode: HTMLElement): void {
  new MutationObserver(() => {
    const operations = domNode.querySelector('main:not([role])');
    operations?.setAttribute('role', 'region');
    operations?.setAttribute('aria-label', 'Endpoints');
  }).observe(domNode, { childList: true, subtree: true });
}

/** The library's own name for what is `dark` here. */
function useDarkMode(): void {
  const { resolvedTheme } = useTheme();
  useEffect(() => {
    const { classList } = window.document.documentElement;
    classList.toggle('dark-mode', resolvedTheme === 'dark');
    return () => classList.remove('dark-mode');
  }, [resolvedTheme]);
}
