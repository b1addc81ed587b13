// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IPerps, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {PerpsDeploy} from "../PerpsDeploy.sol";

/// Deploys the venue of the campaigns with an adversary: two markets for everyone, and a third in
/// which only his schemes trade.
abstract contract AdversaryDeploy is PerpsDeploy {
    address internal constant OWNER = address(0xA11);
    address internal constant PUSHER = address(0xFEED);

    Accounts internal accounts;
    PushOracle internal oracle;
    DevToken internal usdc;
    IPerps internal perps;

    function _deployVenue() internal {
        vm.warp(1_750_000_000);
        accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(vm.addr(0x1115), vm.addr(0xFEE5), "openvenue")
            )
        );
        oracle = PushOracle(
            vm.deployCode("out/shipped/PushOracle.sol/PushOracle.json", abi.encode(OWNER, PUSHER))
        );
        usdc = new DevToken("USD Coin", "USDC", 6);
        perps = _deployPerps(accounts, oracle, address(usdc), OWNER);
        PerpParameters memory parameters = PerpParameters({
            minOrderValue: 10e18,
            maxOrderValue: 1_000_000e18,
            maxNotionalValue: 10_000_000e18,
            maxOpenInterest: 50_000_000,
            maxLeverage: 20,
            makerFee: -50,
            takerFee: 350
        });
        vm.startPrank(OWNER);
        perps.list("ETH-PERP", "ETH", 1e16, 1e15, 1_000e18, parameters);
        perps.list("BTC-PERP", "BTC", 1e17, 1e14, 1_000e18, parameters);
        parameters.maxOrderValue = 10_000_000e18;
        perps.list("SOL-PERP", "SOL", 1e16, 1e15, 1_000e18, parameters);
        vm.stopPrank();
    }
}
