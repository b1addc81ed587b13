// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IPerps, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {Campaign} from "../../invariant/Campaign.sol";
import {PerpsDeploy} from "../PerpsDeploy.sol";
import {LISTED_SECONDS, PerpsHandler} from "./PerpsHandler.sol";

/// Checks after each random call that its changes agree with the logs, and at intervals that the
/// whole storage agrees with itself, the token and the logs.
contract PerpsInvariantsTest is Campaign, PerpsDeploy {
    PerpsHandler private handler;

    function setUp() external {
        vm.warp(1_750_000_000);
        PerpsHandler.Roles memory roles =
            PerpsHandler.Roles(address(0xA11), address(0x6A2D), address(0xFEED));
        uint256[2] memory houseSecrets = [uint256(0x1115), 0xFEE5];
        Accounts accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(vm.addr(houseSecrets[0]), vm.addr(houseSecrets[1]), "openvenue")
            )
        );
        PushOracle oracle = PushOracle(
            vm.deployCode(
                "out/shipped/PushOracle.sol/PushOracle.json", abi.encode(roles.owner, roles.pusher)
            )
        );
        DevToken usdc = new DevToken("USD Coin", "USDC", 6);
        IPerps perps = _deployPerps(accounts, oracle, address(usdc), roles.owner);
        PerpParameters memory parameters = PerpParameters({
            minOrderValue: 10e18,
            maxOrderValue: 100_000e18,
            maxNotionalValue: 250_000e18,
            maxOpenInterest: 150_000,
            maxLeverage: 20,
            makerFee: -50,
            takerFee: 350
        });
        vm.startPrank(roles.owner);
        perps.list("ETH-PERP", "ETH", 1e16, 1e15, 3_000e18, parameters);
        perps.list("BTC-PERP", "BTC", 1e17, 1e14, 3_000e18, parameters);
        perps.setGuardian(roles.guardian);
        oracle.setGuardian(roles.guardian);
        vm.stopPrank();
        vm.warp(block.timestamp + LISTED_SECONDS);
        handler = new PerpsHandler(accounts, oracle, perps, usdc, roles, parameters, houseSecrets);
        _start(address(handler), _selectors());
    }

    function _selectors() private view returns (bytes4[] memory selectors) {
        selectors = new bytes4[](48);
        selectors[0] = handler.cancel.selector;
        selectors[1] = handler.cancelAll.selector;
        selectors[2] = handler.reduce.selector;
        selectors[3] = handler.sweep.selector;
        selectors[4] = handler.deposit.selector;
        selectors[5] = handler.withdraw.selector;
        selectors[6] = handler.donate.selector;
        selectors[7] = handler.transfer.selector;
        selectors[8] = handler.collect.selector;
        selectors[9] = handler.wait_.selector;
        selectors[10] = handler.halt.selector;
        selectors[11] = handler.register.selector;
        selectors[12] = handler.revoke.selector;
        selectors[13] = handler.placeSigned.selector;
        selectors[14] = handler.placeMany.selector;
        selectors[15] = handler.resend.selector;
        selectors[16] = handler.cancelSigned.selector;
        selectors[17] = handler.arm.selector;
        selectors[18] = handler.fire.selector;
        selectors[19] = handler.burn.selector;
        selectors[20] = handler.setLeverage.selector;
        selectors[21] = handler.poke.selector;
        selectors[22] = handler.change.selector;
        selectors[23] = handler.tighten.selector;
        selectors[24] = handler.cancelLiquidatable.selector;
        selectors[25] = handler.liquidate.selector;
        selectors[26] = handler.liquidate.selector;
        selectors[27] = handler.squeeze.selector;
        selectors[28] = handler.squeeze.selector;
        selectors[29] = handler.deleverage.selector;
        selectors[30] = handler.move.selector;
        selectors[31] = handler.move.selector;
        selectors[32] = handler.placeSigned.selector;
        selectors[33] = handler.placeSigned.selector;
        selectors[34] = handler.limitOutflow.selector;
        selectors[35] = handler.pauseIndex.selector;
        selectors[36] = handler.topple.selector;
        selectors[37] = handler.several.selector;
        selectors[38] = handler.allowCanceller.selector;
        selectors[39] = handler.allowSigned.selector;
        selectors[40] = handler.revokeCanceller.selector;
        selectors[41] = handler.cancelFor.selector;
        selectors[42] = handler.cancelFor.selector;
        selectors[43] = handler.clear.selector;
        selectors[44] = handler.unwind.selector;
        selectors[45] = handler.unwind.selector;
        selectors[46] = handler.cover.selector;
        selectors[47] = handler.capDeposits.selector;
    }

    /// A campaign that meets nothing shows nothing.
    function test_the_random_traders_reach_every_corner() external {
        string[] memory corners = new string[](31);
        corners[0] = "placed";
        corners[1] = "reduce-only";
        corners[2] = "reduce-only filled";
        corners[3] = "refused";
        corners[4] = "filled";
        corners[5] = "cancelled";
        corners[6] = "reduced";
        corners[7] = "withdrawn";
        corners[8] = "withdrawal refused";
        corners[9] = "transferred";
        corners[10] = "leverage";
        corners[11] = "poked";
        corners[12] = "marked";
        corners[13] = "hour settled";
        corners[14] = "changed";
        corners[15] = "tightened";
        corners[16] = "registration replayed";
        corners[17] = "registration refused";
        corners[18] = "signer refused";
        corners[19] = "order replayed";
        corners[20] = "cancelled signed";
        corners[21] = "fired";
        corners[22] = "healthy spared";
        corners[23] = "forced order";
        corners[24] = "nomination refused";
        corners[25] = "outflow limit set";
        corners[26] = "cancelled for";
        corners[27] = "canceller allowed signed";
        corners[28] = "canceller refused";
        corners[29] = "unwinding refused";
        corners[30] = "cover set";
        string[] memory rare = new string[](47);
        rare[0] = "collected";
        rare[1] = "placed signed";
        rare[2] = "triggered";
        rare[3] = "replaced";
        rare[4] = "fired again";
        rare[5] = "disarmed";
        rare[6] = "burnt signed";
        rare[7] = "liquidated";
        rare[8] = "liquidated in part";
        rare[9] = "keeper rewarded";
        rare[10] = "under water";
        rare[11] = "too soon";
        rare[12] = "absorbed";
        rare[13] = "deleveraged";
        rare[14] = "insurance deleveraged";
        rare[37] = "deleveraging refused";
        rare[38] = "deleveraged for all it won";
        rare[39] = "canceller allowed again";
        rare[40] = "canceller revoked";
        rare[15] = "registered";
        rare[16] = "revoked";
        rare[17] = "swept";
        rare[18] = "withdrawn all";
        rare[19] = "placed in a batch";
        rare[20] = "registration forged";
        rare[21] = "marked without a sample";
        rare[22] = "outflow limited";
        rare[23] = "cancelled liquidatable";
        rare[24] = "absorbed at a loss";
        rare[25] = "insurance exhausted";
        rare[26] = "index paused";
        rare[27] = "cancelled for reason 0";
        rare[28] = "cancelled for reason 1";
        rare[29] = "cancelled for reason 2";
        rare[30] = "cancelled for reason 3";
        rare[31] = "cancelled for reason 4";
        rare[32] = "cancelled for reason 5";
        rare[33] = "cancelled for reason 6";
        rare[34] = "cancelled for reason 7";
        rare[35] = "cancelled for reason 9";
        rare[36] = "several at once";
        rare[41] = "loss cleared";
        rare[42] = "limit opening";
        rare[43] = "unwound";
        rare[44] = "insurance closed for a market's losses";
        rare[45] = "deposited below a cap";
        rare[46] = "deposit above a cap";
        _runRandomCalls(corners, rare);
    }
}
