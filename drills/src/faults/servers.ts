// Kills the servers behind the venue, makes them lag, or fills their disk.
import type { Drill } from '../drill.ts'
import { fillDisk, freeDisk } from '../servers/small-disk.ts'

export const SERVER_DRILLS: readonly Drill[] = [
  {
    name: 'kill-postgres',
    about: 'PostgreSQL is killed with all of its processes, and restarted after 4 s',
    run: async ({ parts }, { hold }) => {
      await parts.database.kill()
      await hold(4)
      await parts.database.start()
    },
  },
  {
    name: 'kill-replica',
    about: 'the read replica is killed, and restarted after 6 s',
    run: async ({ parts }, { hold }) => {
      await parts.replica.kill()
      await hold(6)
      await parts.replica.start()
    },
  },
  {
    name: 'replica-lag',
    about: 'the read replica stops replaying for 15 s',
    run: async ({ parts }, { hold }) => {
      await parts.replica.query('SELECT pg_wal_replay_pause()')
      await hold(15)
      await parts.replica.query('SELECT pg_wal_replay_resume()')
    },
  },
  {
    name: 'kill-redis',
    about: 'Redis is killed, and restarted empty after 5 s',
    run: async ({ parts }, { hold }) => {
      await parts.redis.kill()
      await hold(5)
      await parts.redis.start()
    },
  },
  {
    name: 'kill-node',
    about: 'the node is killed and restarted from its last save, without its newest blocks',
    run: async ({ parts }, { hold }) => {
      await parts.chain.kill()
      await hold(3)
      await parts.chain.restart()
    },
  },
  {
    name: 'disk-full',
    about: 'the disk of PostgreSQL is full for 10 s',
    isDisk: true,
    run: async ({ parts }, { hold }) => {
      const { database, databaseFolder } = parts
      fillDisk(databaseFolder)
      await hold(10)
      freeDisk(databaseFolder)
      // PostgreSQL may have exited.
      await database.start()
    },
  },
]
