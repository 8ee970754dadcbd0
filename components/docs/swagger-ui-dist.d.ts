/** Swagger UI comes without types; this is what the reference uses of it. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle' {
  interface Options {
    readonly domNode: HTMLElement;
    readonly spec: object;
    /** Null: nothing is sent to the public validator. */
    readonly validatorUrl: null;
    readonly deepLinking?: boolean;
    readonly docExpansion?: 'list' | 'full' | 'none';
    readonly defaultModelsExpandDepth?: number;
    readonly displayRequestDuration?: boolean;
    readonly filter?: boolean;
    readonly queryConfigEnabled?: boolean;
    readonly tryItOutEnabled?: boolean;
    readonly onComplete?: () => void;
  }

  const SwaggerUI: (options: Options) => unknown;
  export default SwaggerUI;
}
