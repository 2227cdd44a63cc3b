/** A PostgreSQL of its own for tests and benches: in a temporary folder, on a Unix socket, as a user without privileges. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? '';
export async function startPostgres({ durable = false } = {}) {
    if (!existsSync(join(PROGRAMS, 'initdb')))
        throw new Error('These tests need PostgreSQL: apt-get install postgresql');
    const folder = mkdtempSync(join(tmpdir(), 'crosshook-pg-'));
    const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
    if (user.uid !== undefined)
        chownSync(folder, user.uid, user.gid);
    const data = join(folder, 'data');
    execFileSync(join(PROGRAMS, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'hub', '--no-sync', '-E', 'UTF8', '--locale=C'], {
        ...user,
        cwd: folder,
        stdio: 'ignore',
    });
    const settings = {
        listen_addresses: '',
        unix_socket_directories: folder,
        max_connections: '60',
        shared_buffers: '256MB',
        max_wal_size: '2GB',
        ...(durable ? {} : { fsync: 'off' }),
    };
    const url = `postgres://hub@localhost/postgres?host=${encodeURIComponent(folder)}`;
    let child;
    const ended = () => new Promise((resolve) => (child?.exitCode ?? child?.signalCode ?? null) === null
        ? child?.once('exit', () => resolve())
        : resolve());
    const cluster = {
        url,
        pid: () => child.pid,
        async start() {
            const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
            child = spawn(join(PROGRAMS, 'postgres'), ['-D', data, ...options], {
                ...user,
                cwd: folder,
                stdio: 'ignore',
                detached: true,
            });
            for (let attempt = 0;; attempt++) {
                const client = new pg.Client(url);
                try {
                    await client.connect();
                    await client.end();
                    return;
                }
                catch (error) {
                    if (attempt > 300 || child.exitCode !== null)
                        throw error;
                    await new Promise((resolve) => setTimeout(resolve, 50));
                }
            }
        },
        async kill() {
            const done = ended();
            // Its own process group: postmaster and children. The children notice that it is gone and end.
            process.kill(-child.pid, 'SIGKILL');
            await done;
        },
        async stop() {
            const done = ended();
            child?.kill('SIGINT');
            await done;
            rmSync(folder, { recursive: true, force: true });
        },
    };
    await cluster.start();
    return cluster;
}
/** An empty database in the cluster. */
export async function freshDatabase(cluster, name) {
    const client = new pg.Client(cluster.url);
    await client.connect();
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return cluster.url.replace('/postgres?', `/${name}?`);
}
function idOf(flag) {
    return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
