/**
 * What a program that embeds svc has of OpenTelemetry (`@opentelemetry/api` 1), as far as svc asks for it: its own
 * `Tracer` and
 * `Meter` are such, and this package needs no types of theirs.
 */
export interface CustomTracer {
  startSpan(name: string, options?: object, context?: object): CustomSpan;
}

/** A span of OpenTelemetry, as far as runs use it. */
export interface CustomSpan {
  addEvent(name: string, attributes?: object | number, time?: number): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(time?: number): void;
}

/** A meter of OpenTelemetry, as far as runs use it. */
export interface CustomMeter {
  createHistogram(name: string, options?: object): { record(value: number, attributes?: object): void };
}

/** Where the spans and metrics of runs go, in place of a collector that variables name. */
export interface CustomTelemetry {
  readonly tracer: CustomTracer;
  /** Left out: no metrics. */
  readonly meter?: CustomMeter;
}
