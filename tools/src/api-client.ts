import { explainSkills } from '@skillgate/contracts/calls/catalog';
import type { CallOutput } from '@skillgate/contracts/define-call';
import { artifactRef, type ArtifactRef } from '@skillgate/contracts/tool-call';
import { route, type Route } from '@skillgate/contracts/route';

/** The REST side of a house, as an application would use it. Errors carry the answer's own words. */
export class ApiClient {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  async upload(name: string, mime: string, bytes: Uint8Array): Promise<ArtifactRef> {
    const answer = await this.fetch(`/api/v1/artifacts?name=${encodeURIComponent(name)}`, { method: 'POST', headers: { 'content-type': mime }, body: bytes });
    return artifactRef.parse(await answer.json());
  }

  async download(id: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.fetch(`/api/v1/artifacts/${id}`)).arrayBuffer());
  }

  async route(turn: string): Promise<Route> {
    return route.parse(await (await this.fetch(`/api/v1/turns/${turn}/route`)).json());
  }

  async skills(): Promise<CallOutput<typeof explainSkills>> {
    return explainSkills.output.parse(await (await this.fetch('/api/v1/skills')).json());
  }

  private async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(this.url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${this.key}` } });
    if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}
