import type { Routes } from './route.ts'

export const orderBookRoutes: Routes = () => {}
