/** `RTMP_PORT` → `rtmpPort` */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

const camelCase = (name: string): string =>
  name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

type CamelCased<Values, Name extends keyof Values & string> = {
  readonly [Each in Name as CamelCase<Each>]: Values[Each];
};

/** The named variables, as properties: `RTMP_PORT` is `rtmpPort`. */
export function camelCased<Values extends object, Name extends keyof Values & string>(
  values: Values,
  names: readonly Name[],
) {
  return Object.fromEntries(names.map((name) => [camelCase(name), values[name]])) as CamelCased<Values, Name>;
}

type WithoutPrefix<Values, Prefix extends string> = {
  readonly [
    Name in keyof Values & string as Name extends `${Prefix}${infer Rest}` ? CamelCase<Rest> : never
  ]-?: Values[Name];
};

/** The variables with a prefix, as properties: with the prefix `S3_`, `S3_ACCESS_KEY_ID` is `accessKeyId`. */
export function withoutPrefix<Values extends object, Prefix extends string>(values: Values, prefix: Prefix) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      name.startsWith(prefix) ? [[camelCase(name.slice(prefix.length)), value]] : [],
    ),
  ) as WithoutPrefix<Values, Prefix>;
}

/** Whether all of the named variables are set. */
export const areSet = <Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): values is Values & { readonly [Each in Name]-?: NonNullable<Values[Each]> } =>
  names.every((name) => values[name] !== undefined);
