import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { declarations, type Label, type MetricName } from './declarations.ts';

type NameOf<Type extends string> = {
  [Name in MetricName]: (typeof declarations)[Name]['type'] extends Type ? Name : never;
}[MetricName];
type LabelsOf<Name extends MetricName> = (typeof declarations)[Name] extends {
  readonly labels: readonly (infer One extends Label)[];
}
  ? Readonly<Record<One, string>>
  : Readonly<Record<string, never>>;

/** The declared metrics. Each call takes about a microsecond, and none throws. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();

  /** @param collect sets the gauges before each page */
  constructor(collect: (metrics: Metrics) => void) {
    for (const [name, declared] of Object.entries(declarations)) {
      const about = {
        name,
        help: declared.help,
        labelNames: 'labels' in declared ? declared.labels : [],
        registers: [this.#registry],
      };
      if (declared.type === 'counter') this.#counters.set(name, new Counter(about));
      else if (declared.type === 'gauge') this.#gauges.set(name, new Gauge(about));
      else this.#histograms.set(name, new Histogram({ ...about, buckets: [...declared.buckets] }));
    }
    this.#collect = collect;
  }

  readonly #collect: (metrics: Metrics) => void;

  count<Name extends NameOf<'counter'>>(name: Name, of: LabelsOf<Name>, by = 1): void {
    this.#counters.get(name)?.inc(of, by);
  }

  set<Name extends NameOf<'gauge'>>(name: Name, of: LabelsOf<Name>, value: number): void {
    this.#gauges.get(name)?.set(of, value);
  }

  /** Records a duration in seconds. */
  observe<Name extends NameOf<'histogram'>>(name: Name, of: LabelsOf<Name>, seconds: number): void {
    this.#histograms.get(name)?.observe(of, Math.max(0, seconds));
  }

  /**
   * The page in Prometheus' text format. Gauges that `collect` no longer sets, such as those of a
   * removed lane, disappear.
   */
  page(): Promise<string> {
    for (const gauge of this.#gauges.values()) {
      gauge.reset();
      // A gauge without labels is 0 after a reset, which would be reported as its value.
      gauge.remove({});
    }
    this.#collect(this);
    return this.#registry.metrics();
  }
}

/** Content type of `Metrics.page`. */
export const pageType = Registry.PROMETHEUS_CONTENT_TYPE;
