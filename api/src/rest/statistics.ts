import type { Routes } from './route.ts'

export const statisticsRoutes: Routes = () => {}
