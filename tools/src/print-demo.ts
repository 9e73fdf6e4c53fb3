import type { Span } from '@skillgate/backing/span';
import { type TraceNode, traceTree } from '@skillgate/backing/trace-tree';
import type { Route, RouteStep, TokenLedger } from '@skillgate/contracts/route';

/** What was asked for, what opened, what ran: one line a step. */
export function routeLines({ steps, withheld }: Route): string[] {
  const lines = steps.flatMap((step, at) => stepLines(step, at));
  return [...lines, ...withheld.map(({ slug, unmet }) => `  withheld ${slug}: ${unmet.map(({ message }) => message).join(' ')}`)];
}

function stepLines(step: RouteStep, at: number): string[] {
  const time = `${step.ms} ms`.padStart(8);
  switch (step.kind) {
    case 'model':
      return [`${time}  model${at === 0 ? '' : ' again'}: ${step.inputTokens ?? '?'} tokens in, ${step.outputTokens ?? '?'} out, ${step.finish}`];
    case 'load':
      return [
        `${time}  skill ${step.skill}${step.version ? `@${step.version}` : ''}: ${step.decision}${step.reason ? ` (${step.reason})` : ''}`,
        ...step.profiles.map((profile) => `${' '.repeat(10)}profile ${profile} opens ${step.opened.join(', ')}`),
      ];
    case 'tool':
      return [`${time}  tool ${step.tool} of ${step.profile ?? 'base'}: ${step.decision}${step.reason ? ` (${step.reason})` : ''}${step.grantId ? `, grant ${step.grantId.slice(0, 8)}` : ''}`];
  }
}

export function ledgerLines(tokens: TokenLedger): string[] {
  const parts = ['base', 'catalog', 'loaded', 'tools', 'conversation'] as const;
  const sum = parts.reduce((total, part) => total + tokens[part], 0);
  const first = tokens.base + tokens.catalog;
  return [
    ...parts.map((part) => `  ${part.padEnd(14)}${String(tokens[part]).padStart(7)}`),
    `  ${'last call'.padEnd(14)}${String(sum).padStart(7)}  tokens (o200k)`,
    `  ${'monolith'.padEnd(14)}${String(tokens.monolith).padStart(7)}  what the first call would carry without gates; base and catalog are ${first}`,
  ];
}

/** Deeper than this a trace is read in Jaeger. */
const mostLines = 80;

export function traceLines(spans: Span[]): string[] {
  const start = Math.min(...spans.map((span) => span.startMs));
  const lines: string[] = [];
  const walk = (node: TraceNode, depth: number) => {
    const { span } = node;
    const at = `+${(span.startMs - start).toFixed(0)}`.padStart(6);
    const took = `${(span.endMs - span.startMs).toFixed(1)} ms`.padStart(10);
    lines.push(`${at} ${took}  ${'  '.repeat(depth)}${span.name}  [${span.service}]${span.status.code === 'error' ? '  failed' : ''}`);
    for (const child of node.children) walk(child, depth + 1);
  };
  for (const top of traceTree(spans)) walk(top, 0);
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines), `       … ${lines.length - mostLines} more spans`];
}
